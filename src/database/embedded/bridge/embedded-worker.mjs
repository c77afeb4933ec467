// @ts-check
/**
 * The thread in which the embedded database lives: PGlite computes synchronously, and a long query here must not stop
 * the application's event loop. Started by its file address, so it must stay plain JavaScript.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { durableNodeFS } from './durable-node-fs.mjs';
import broker from './session-broker.cjs';
import { readTemplate, removeTemplate, writeTemplate } from './template.mjs';
import { syncDirectory, unpack } from './unpack.mjs';
import wire from './wire.cjs';

const { SessionBroker } = broker;

/**
 * @typedef {object} WorkerOptions
 * @property {string} [dataDir] PostgreSQL's own directory; in memory when absent.
 * @property {string} [templateFile] Where a freshly initialised database is kept for the next one.
 * @property {number} [idleInTransactionMs]
 * @property {number} [upkeepIntervalMs]
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const options = /** @type {WorkerOptions} */ (workerData);

/** The exit status by which PGlite says "a PostgreSQL error was raised": the one exception that is business as usual. */
const LONGJMP_STATUS = 100;

/** Output is handed on in pieces of about this size (bytes), or at the end of a group. */
const PIECE_BYTES = 64 * 1024;

/** A start after a crash replays the log since the last checkpoint: this much at most, roughly (bytes). */
const CHECKPOINT_LOG_BYTES = 32 * 1024 * 1024;

/** How often upkeep is due (ms), and how many groups in that time still count as a quiet moment. */
const UPKEEP_INTERVAL_MS = 30_000;
const QUIET_GROUPS = 100;

/** The thresholds that a server's autovacuum has by default. */
const TABLES_TO_ANALYZE = `
  select relid::regclass
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
   where n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)`;
const TABLE_TO_VACUUM = `
  select relid::regclass
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
   where n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
      or n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)
   order by n_dead_tup + n_ins_since_vacuum desc
   limit 1`;

const extensions = { pg_trgm, cube, vector };

/** @param {boolean} durable */
const startParams = (durable) => [
  ...PGlite.defaultStartParams.filter((parameter) => !(durable && parameter === '-F')),
  ...setting('shared_buffers', '16MB'),
  ...(durable ? [...setting('fsync', 'on'), ...setting('wal_sync_method', 'fsync')] : []),
];

/**
 * @param {string} name
 * @param {string} value
 */
function setting(name, value) {
  return ['-c', `${name}=${value}`];
}

/** @param {string} text */
const progress = (text) => port.postMessage({ type: 'progress', text });

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

/**
 * @param {unknown} error
 * @returns {never}
 */
function die(error) {
  const reason = error instanceof Error ? error.message : String(error);
  port.postMessage({ type: 'crashed', reason, log: [...log] });
  process.exit(1);
}

/** Where a template is being written, so that nothing is left behind half-written. @type {Promise<void> | undefined} */
let templateWritten;

/**
 * Makes a database from the archive of a freshly initialised one: the kept one, or where there is none or it is of no
 * use, one made now.
 * @template T
 * @param {(archive: Uint8Array<ArrayBuffer>) => Promise<T>} create
 */
async function createFromTemplate(create) {
  const file = options.templateFile;
  const kept = file ? await readTemplate(file) : undefined;
  if (file && kept) {
    try {
      return await create(kept);
    } catch (error) {
      await removeTemplate(file);
      progress(
        `the kept template is of no use and is made anew (${error instanceof Error ? error.message : error})`,
      );
    }
  }
  progress('initialising the embedded database (first start, a few seconds)');
  const archive = await archiveOfNewDatabase();
  // Where nothing can be written, nothing is kept.
  if (file) templateWritten = writeTemplate(file, archive).catch(() => undefined);
  return create(archive);
}

/**
 * Taken after PostgreSQL has shut down and before its files are let go: a copy starts without anything to recover.
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function archiveOfNewDatabase() {
  const pg = await PGlite.create({ startParams: startParams(false), onStderr });
  const files = /** @type {NonNullable<typeof pg.fs>} */ (pg.fs);
  const letGo = files.closeFs.bind(files);
  /** @type {Blob | undefined} */
  let archive;
  files.closeFs = async () => {
    archive = await files.dumpTar('pgdata', 'none');
    await letGo();
  };
  await pg.close();
  return new Uint8Array(await /** @type {Blob} */ (archive).arrayBuffer());
}

/**
 * Makes PostgreSQL's directory; it appears under its name only when it is complete and on the disk.
 * @param {string} dataDir
 */
async function initialise(dataDir) {
  const staging = `${dataDir}.new`;
  await createFromTemplate(async (archive) => {
    fs.rmSync(staging, { recursive: true, force: true });
    await unpack(archive, staging);
  });
  fs.renameSync(staging, dataDir);
  await syncDirectory(path.dirname(dataDir));
}

async function openDatabase() {
  const { dataDir } = options;
  if (!dataDir) {
    return createFromTemplate((archive) =>
      PGlite.create({
        extensions,
        loadDataDir: new Blob([archive]),
        startParams: startParams(false),
        onStderr,
      }),
    );
  }
  if (!fs.existsSync(dataDir)) await initialise(dataDir);
  return PGlite.create({ fs: durableNodeFS(dataDir), extensions, startParams: startParams(true), onStderr });
}

/**
 * The session behind the broker. PGlite catches every exception while it runs messages; those that are no PostgreSQL
 * errors (a trap in the machine code, an exit of the session) are caught here before, and end the thread.
 * @param {PGlite} pg
 */
function sessionOf(pg) {
  const module = /** @type {any} */ (pg.Module);
  const step = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      return step();
    } catch (error) {
      if (/** @type {any} */ (error)?.status !== LONGJMP_STATUS) die(error);
      throw error;
    }
  };

  /**
   * @param {Buffer} bytes
   * @param {(chunk: Buffer) => void} onOutput
   */
  function run(bytes, onOutput) {
    /** @type {Buffer[]} */
    let pieces = [];
    let size = 0;
    const handOn = () => {
      if (size === 0) return;
      onOutput(pieces.length === 1 ? /** @type {Buffer} */ (pieces[0]) : Buffer.concat(pieces, size));
      pieces = [];
      size = 0;
    };
    pg.execProtocolRawStream(bytes, {
      syncToFs: false,
      // The bytes lie in the machine's memory and are overwritten by what comes next: copy them.
      onRawData: (data) => {
        pieces.push(Buffer.from(data));
        size += data.byteLength;
        if (size >= PIECE_BYTES) handOn();
      },
    }).catch(die);
    handOn();
  }
  return { run };
}

/** A server's greeting, taken from the database itself: the ParameterStatus messages of a start-up. */
async function greeting(/** @type {PGlite} */ pg) {
  const parameters = ['user', 'postgres', 'database', 'postgres', 'client_encoding', 'UTF8', ''];
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), ...parameters.map(wire.cString)]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  /** @type {Buffer[]} */
  const output = [];
  await pg.execProtocolRawStream(Buffer.concat([length, body]), {
    syncToFs: false,
    onRawData: (data) => output.push(Buffer.from(data)),
  });
  /** @type {Buffer[]} */
  const statuses = [];
  wire.eachMessage(Buffer.concat(output), (type, message) => {
    if (type === wire.Backend.ParameterStatus) statuses.push(message);
  });
  return Buffer.concat(statuses);
}

/**
 * What a server's background processes would do: a checkpoint when the log has grown (so that a start after a crash
 * is short and the log does not grow without end), statistics for tables that have changed, and in quiet moments
 * clean pages, one table at a time.
 * @param {{ run: (bytes: Buffer, onOutput: (chunk: Buffer) => void) => void }} session
 * @returns {(groups: number) => void} called between groups, with how many ran since the last time
 */
function upkeepOf(session) {
  /** @param {string} sql */
  const rowsOf = (sql) => {
    /** @type {Buffer[]} */
    const output = [];
    session.run(wire.query(sql), (chunk) => output.push(chunk));
    const answer = Buffer.concat(output);
    const error = wire.readError(answer);
    if (error) port.postMessage({ type: 'warning', text: `The embedded database's upkeep failed: ${error}` });
    return wire.readRows(answer);
  };
  const position = () => rowsOf('select pg_current_wal_lsn()')[0]?.[0] ?? '0/0';
  let checkpoint = position();
  return (groups) => {
    const grown = Number(rowsOf(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '${checkpoint}')`)[0]?.[0]);
    if (grown >= CHECKPOINT_LOG_BYTES) {
      rowsOf('checkpoint');
      checkpoint = position();
    }
    for (const [table] of rowsOf(TABLES_TO_ANALYZE)) rowsOf(`analyze ${table}`);
    if (groups > QUIET_GROUPS) return;
    for (const [table] of rowsOf(TABLE_TO_VACUUM)) rowsOf(`vacuum (analyze) ${table}`);
  };
}

/**
 * Keeps an archive of the database as it is now. A checkpoint before leaves little to recover for those who start
 * from it. The files are read before anything is awaited, so no statement can come in between.
 * @param {PGlite} pg
 * @param {{ run: (bytes: Buffer, onOutput: (chunk: Buffer) => void) => void }} session
 * @param {number} id
 * @param {string} file
 */
async function saveTemplate(pg, session, id, file) {
  try {
    session.run(wire.query('checkpoint'), () => undefined);
    const archive = await /** @type {NonNullable<typeof pg.fs>} */ (pg.fs).dumpTar('pgdata', 'none');
    await writeTemplate(file, new Uint8Array(await archive.arrayBuffer()));
    port.postMessage({ type: 'saved', id });
  } catch (error) {
    port.postMessage({ type: 'saved', id, reason: error instanceof Error ? error.message : String(error) });
  }
}

async function main() {
  const pg = await openDatabase();
  const session = sessionOf(pg);
  const sessions = new SessionBroker(
    { run: session.run, parameterStatus: await greeting(pg) },
    {
      deliver: (id, chunk) => {
        // A buffer of its own: a view of a larger one would be sent with all of that one.
        const own = new Uint8Array(chunk);
        port.postMessage({ type: 'data', id, chunk: own }, [own.buffer]);
      },
      end: (id) => port.postMessage({ type: 'end', id }),
      consumed: (id, bytes) => port.postMessage({ type: 'consumed', id, bytes }),
    },
    {
      idleInTransactionMs: options.idleInTransactionMs,
      warn: (text) => port.postMessage({ type: 'warning', text }),
    },
  );

  port.on('message', (/** @type {any} */ request) => {
    try {
      switch (request.type) {
        case 'open':
          return sessions.open(request.id);
        case 'data':
          return sessions.receive(request.id, request.chunk);
        case 'read':
          return sessions.acknowledge(request.id, request.bytes);
        case 'leave':
          return sessions.leave(request.id);
        case 'vanish':
          return sessions.vanish(request.id);
        case 'save':
          return sessions.whenFree(() => void saveTemplate(pg, session, request.id, request.file));
        case 'close':
          sessions.shutdown();
          Promise.all([pg.close(), templateWritten]).then(() => {
            port.postMessage({ type: 'closed' });
            port.close();
          }, die);
      }
    } catch (error) {
      die(error);
    }
  });

  const upkeep = upkeepOf(session);
  let groupsSeen = 0;
  setInterval(() => {
    const groups = sessions.groupsRun - groupsSeen;
    if (groups === 0) return;
    groupsSeen = sessions.groupsRun;
    sessions.whenFree(() => upkeep(groups));
  }, options.upkeepIntervalMs ?? UPKEEP_INTERVAL_MS).unref();

  started = true;
  log.length = 0;
  port.postMessage({ type: 'ready' });
}

main().catch((error) => {
  const reason = error instanceof Error ? error.message : String(error);
  port.postMessage({ type: 'failed', reason, log: [...log] });
  process.exit(1);
});
