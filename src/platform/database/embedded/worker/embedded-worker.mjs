// @ts-check
/**
 * The thread in which the embedded database lives: PGlite computes synchronously, and a long query here must
 * not stop the application's event loop. Started by its file address, so it must stay plain JavaScript.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { archiveOf, compileEngine, openDatabase } from './open-database.mjs';
import { Session } from './session.cjs';
import { SessionQueue } from './session-queue.cjs';
import { writeTemplate } from './template.cjs';
import { Upkeep } from './upkeep.cjs';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const options = /** @type {import('../database-thread.js').ThreadData} */ (workerData);

/**
 * Upkeep runs after a pause of IDLE_MS, or under constant load when it is overdue. An import can make a table a
 * thousand times larger within a minute; until it is analyzed, plans for the small table take seconds.
 */
const IDLE_MS = 5000;
const UPKEEP_OVERDUE_MS = 10_000;

/** PostgreSQL's last log lines: the reason if it refuses to start or ends itself. @type {string[]} */
const log = [];
let isStarted = false;

/** @param {string} line */
function onStderr(line) {
  // Once it serves statements, most lines quote them with their values, which must not reach our log.
  if (!isStarted || /\b(?:FATAL|PANIC):/.test(line)) log.push(line);
  if (log.length > 20) log.shift();
  return false;
}

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

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
  const engine = options.engine ?? (await compileEngine());
  const onProgress = (/** @type {string} */ text) => port.postMessage({ type: 'progress', text });
  const pg = await openDatabase({ ...options, engine, onProgress, onStderr });
  const session = new Session(pg, die);

  /**
   * The main thread cannot ask while a statement runs: it reads here since when, and for which client.
   * @param {number} client
   * @param {import('./session.cjs').Group} group
   */
  const run = (client, group) => {
    options.running[1] = client;
    options.running[0] = Number(process.hrtime.bigint() / 1_000_000n);
    try {
      return session.run(group, (bytes) =>
        port.postMessage({ type: 'answer', client, bytes }, [/** @type {ArrayBuffer} */ (bytes.buffer)]),
      );
    } finally {
      options.running[0] = 0;
    }
  };
  const queue = new SessionQueue(
    { run, rollBack: () => session.rollBack() },
    (client, waiting, ms) => port.postMessage({ type: 'idle', client, waiting, ms }),
    options.idleInTransactionMs,
  );
  const upkeep = new Upkeep((sql) => {
    try {
      return session.query(sql);
    } catch (error) {
      port.postMessage({
        type: 'warning',
        text: `The embedded database's upkeep failed: ${reasonOf(error)}`,
      });
      return [];
    }
  });
  lookAfter(upkeep, queue);

  // A checkpoint leaves nothing to recover for those who begin with the template.
  const saveTemplate = async (/** @type {string} */ file) => {
    session.query('checkpoint');
    await writeTemplate(file, await archiveOf(pg));
  };

  port.on('message', (/** @type {any} */ request) => {
    try {
      switch (request.type) {
        case 'run':
          return queue.add(request.client, request);
        case 'leave':
          if (request.statements.length > 0) queue.whenFree(() => session.drop(request.statements));
          return queue.remove(request.client);
        case 'save':
          return queue.whenFree(() => {
            saveTemplate(request.file).then(
              () => port.postMessage({ type: 'saved', id: request.id }),
              (error) => port.postMessage({ type: 'saved', id: request.id, reason: reasonOf(error) }),
            );
          });
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

  isStarted = true;
  log.length = 0;
  port.postMessage({ type: 'ready', engine });
}

/**
 * @param {Upkeep} upkeep
 * @param {SessionQueue} queue
 */
function lookAfter(upkeep, queue) {
  let [groupsSeen, groupsDone, doneAt] = [0, 0, performance.now()];
  let isUnderWay = false;
  const step = () => {
    isUnderWay = upkeep.step();
    if (isUnderWay) return queue.whenFree(step);
    groupsDone = queue.groupsRun;
    doneAt = performance.now();
  };
  setInterval(() => {
    const isIdle = queue.groupsRun === groupsSeen;
    groupsSeen = queue.groupsRun;
    if (isUnderWay || groupsSeen === groupsDone) return;
    if (!isIdle && performance.now() - doneAt < UPKEEP_OVERDUE_MS) return;
    isUnderWay = true;
    queue.whenFree(step);
  }, options.idleMs ?? IDLE_MS).unref();
}

main().catch((error) => end('failed', error));
