// @ts-check
/**
 * The thread in which the embedded database lives: PGlite computes synchronously, and a long query here must
 * not stop the application's event loop. Started by its file address, so it must stay plain JavaScript.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { engineOf } from './engine.mjs';
import { archiveOf, compileEngine, openDatabase } from './open-database.mjs';
import { Figures } from './figures.cjs';
import { recoveryReport } from './recovery-report.cjs';
import { Session } from './session.cjs';
import { SessionQueue } from './session-queue.cjs';
import { writeTemplate } from './template.cjs';
import { Upkeep } from './upkeep.cjs';
import { UpkeepRounds } from './upkeep-rounds.cjs';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const options = /** @type {import('../database-thread.js').ThreadData} */ (workerData);

/** How often upkeep is due (ms). */
const UPKEEP_INTERVAL_MS = 30_000;

/** PostgreSQL's last log lines: the reason, when it refuses to start or ends itself. @type {string[]} */
const log = [];
let started = false;

/** @param {string} line */
function onStderr(line) {
  // Once it serves statements, most lines quote them with their values: none of a log's business.
  if (!started || /\b(?:FATAL|PANIC):/.test(line)) log.push(line);
  if (log.length > 20) log.shift();
  return false;
}

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string} text */
const warn = (text) => port.postMessage({ type: 'warning', text });

/**
 * @param {'failed' | 'crashed'} type
 * @param {unknown} error
 * @returns {never}
 */
function end(type, error) {
  port.postMessage({ type, reason: reasonOf(error), log: [...log] });
  process.exit(1);
}

/** @param {unknown} error */
const die = (error) => end('crashed', error);

async function main() {
  const onProgress = (/** @type {string} */ text) => port.postMessage({ type: 'progress', text });
  const engine = options.engine ?? (await compileEngine());
  const pg = await openDatabase({ ...options, engine, onProgress, onStderr });
  const recovery = recoveryReport(log);
  if (recovery?.isSuspicious) warn(`The embedded database: ${recovery.text}`);
  else if (recovery) onProgress(recovery.text);
  const session = new Session(engineOf(pg, die));
  const figures = options.figures && new Figures(options.figures, () => performance.now());
  const queue = new SessionQueue(
    {
      run: (client, group) => {
        Atomics.store(options.running, 1, client);
        Atomics.store(options.running, 0, group.id);
        try {
          const run = () =>
            session.run(group, (bytes) => {
              port.postMessage({ type: 'answer', client, bytes }, [
                /** @type {ArrayBuffer} */ (bytes.buffer),
              ]);
            });
          return figures ? figures.timed(run) : run();
        } finally {
          Atomics.store(options.running, 0, 0);
        }
      },
      rollBack: () => session.rollBack(),
      beforeTurn: () => session.closeOrphans(),
    },
    {
      idleInTransactionMs: options.idleInTransactionMs,
      onIdle: (client, waiting, ms) => port.postMessage({ type: 'idle', client, waiting, ms }),
    },
  );

  // A checkpoint leaves little to recover for those who start from the archive. The files are read before
  // anything is awaited, so no statement can come in between.
  const save = async (/** @type {string} */ file) => {
    session.ask('checkpoint');
    await writeTemplate(file, await archiveOf(pg));
  };

  const whenFree = (/** @type {number} */ id, /** @type {() => Promise<void>} */ work) => {
    const answer = { type: 'saved', id };
    queue.whenFree(() => {
      work().then(
        () => port.postMessage(answer),
        (error) => port.postMessage({ ...answer, reason: reasonOf(error) }),
      );
    });
  };

  const upkeep = new Upkeep(
    (sql) => {
      try {
        figures?.upkeep(sql);
        return session.ask(sql);
      } catch (error) {
        warn(`The embedded database's upkeep failed: ${reasonOf(error)}`);
        return [];
      }
    },
    () => performance.now(),
  );

  port.on('message', (/** @type {any} */ request) => {
    try {
      switch (request.type) {
        case 'run':
          return queue.add(request.client, request);
        case 'cancel':
          if (queue.cancel(request.client)) port.postMessage({ type: 'cancelled', client: request.client });
          return;
        case 'leave':
          session.orphan(request.statements);
          return queue.remove(request.client);
        case 'save':
          return whenFree(request.id, () => save(request.file));
        case 'close':
          queue.close();
          port.postMessage({ type: 'closing' });
          if (options.dataDir !== undefined) upkeep.finish();
          pg.close().then(() => port.close(), die);
      }
    } catch (error) {
      die(error);
    }
  });

  const rounds = new UpkeepRounds(upkeep, queue);
  setInterval(() => rounds.begin(), options.upkeepIntervalMs ?? UPKEEP_INTERVAL_MS).unref();

  started = true;
  log.length = 0;
  port.postMessage({ type: 'ready', engine });
}

main().catch((error) => end('failed', error));
