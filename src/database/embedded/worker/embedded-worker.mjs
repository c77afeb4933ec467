// @ts-check
/**
 * The thread in which the embedded database lives: PGlite computes synchronously, and a long query here must not stop
 * the application's event loop. Started by its file address, so it must stay plain JavaScript.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { engineOf } from './engine.mjs';
import { archiveOf, openDatabase } from './open-database.mjs';
import sessions from './session.cjs';
import queues from './session-queue.cjs';
import { writeTemplate } from './template.mjs';
import upkeep from './upkeep.cjs';

/**
 * @typedef {object} WorkerOptions
 * @property {string} [dataDir] PostgreSQL's own directory; in memory when absent.
 * @property {string | null} [templateFile] Where a freshly initialised database is kept for the next one.
 * @property {number} [idleInTransactionMs]
 * @property {number} [upkeepIntervalMs]
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const options = /** @type {WorkerOptions} */ (workerData);

/** How often upkeep is due (ms). */
const UPKEEP_INTERVAL_MS = 30_000;

/** What PostgreSQL last wrote to its log: the reason, when it refuses to start or ends itself. @type {string[]} */
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

/**
 * Keeps an archive of the database as it is now. A checkpoint before leaves little to recover for those who start
 * from it. The files are read before anything is awaited, so no statement can come in between.
 * @param {import('@electric-sql/pglite').PGlite} pg
 * @param {import('./session.cjs').Session} own
 * @param {number} id
 * @param {string} file
 */
async function saveTemplate(pg, own, id, file) {
  try {
    own.ask('checkpoint');
    await writeTemplate(file, await archiveOf(pg));
    port.postMessage({ type: 'saved', id });
  } catch (error) {
    port.postMessage({ type: 'saved', id, reason: reasonOf(error) });
  }
}

async function main() {
  const onProgress = (/** @type {string} */ text) => port.postMessage({ type: 'progress', text });
  const { pg, templateWritten } = await openDatabase({ ...options, onProgress, onStderr });
  const own = new sessions.Session(engineOf(pg, die));
  const clients = new queues.SessionQueue(
    {
      run: (client, messages) =>
        own.run(client, messages, (bytes) => {
          port.postMessage({ type: 'answer', client, bytes }, [/** @type {ArrayBuffer} */ (bytes.buffer)]);
        }),
      leave: (client, holds) => own.leave(client, holds),
    },
    {
      idleInTransactionMs: options.idleInTransactionMs,
      onIdle: (client, waiting) => port.postMessage({ type: 'idle', client, waiting }),
    },
  );

  port.on('message', (/** @type {any} */ request) => {
    try {
      switch (request.type) {
        case 'run':
          return clients.add(request.client, request);
        case 'cancel':
          if (clients.cancel(request.client)) port.postMessage({ type: 'cancelled', client: request.client });
          return;
        case 'leave':
          return clients.remove(request.client);
        case 'save':
          return clients.whenFree(() => void saveTemplate(pg, own, request.id, request.file));
        case 'close':
          clients.close();
          port.postMessage({ type: 'closing' });
          Promise.all([pg.close(), templateWritten]).then(() => port.close(), die);
      }
    } catch (error) {
      die(error);
    }
  });

  const lookAfter = upkeep.upkeepOf((sql) => {
    try {
      return own.ask(sql);
    } catch (error) {
      warn(`The embedded database's upkeep failed: ${reasonOf(error)}`);
      return [];
    }
  });
  let groupsSeen = 0;
  setInterval(() => {
    const groups = clients.groupsRun - groupsSeen;
    if (groups === 0) return;
    groupsSeen = clients.groupsRun;
    clients.whenFree(() => lookAfter(groups));
  }, options.upkeepIntervalMs ?? UPKEEP_INTERVAL_MS).unref();

  started = true;
  log.length = 0;
  port.postMessage({ type: 'ready' });
}

main().catch((error) => end('failed', error));
