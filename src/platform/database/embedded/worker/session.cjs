// @ts-check
'use strict';

const { EventEmitter } = require('node:events');
const { parse, serialize } = require('pg-protocol');

/**
 * @typedef {object} Group Messages that must reach the session together: one query.
 * @property {Uint8Array} bytes
 * @property {boolean} partial More messages follow before the query is over.
 */

/** The exit status by which PGlite says "a PostgreSQL error was raised", which is business as usual. */
const LONGJMP_STATUS = 100;

/** Answers are handed on in pieces of about this size, and at the end of a group. */
const PIECE_BYTES = 64 * 1024;

/** Rolls back what a client has left: the error also undoes what a Sync alone would have committed. */
const ROLL_BACK = Buffer.concat([
  serialize.parse({ text: 'the client is gone' }),
  serialize.sync(),
  serialize.query('ROLLBACK'),
]);

/** PGlite's one session, run synchronously. */
class Session {
  /**
   * @param {Pick<import('@electric-sql/pglite').PGlite, 'execProtocolRawStream' | 'isInTransaction' | 'Module'>} pg
   * @param {(error: unknown) => never} die Called for what is no PostgreSQL error: PGlite would hide it.
   */
  constructor(pg, die) {
    this.pg = pg;
    this.die = die;
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
  }

  /**
   * Runs a group to its end.
   * @param {Group} group
   * @param {(bytes: Uint8Array) => void} onAnswer Each piece has a buffer of its own.
   * @returns {boolean} whether a transaction is open, or more of the query is to come
   */
  run({ bytes, partial }, onAnswer) {
    this.execute(bytes, onAnswer);
    return partial || this.pg.isInTransaction();
  }

  rollBack() {
    this.execute(ROLL_BACK, () => undefined);
  }

  /**
   * Drops prepared statements; only outside of a transaction.
   * @param {string[]} names
   */
  drop(names) {
    const closes = names.map((name) => serialize.close({ type: 'S', name }));
    this.execute(Buffer.concat([...closes, serialize.sync()]), () => undefined);
  }

  /**
   * Runs a statement of our own.
   * @param {string} sql
   * @returns {(string | null)[][]} its rows, every value as text
   * @throws {import('pg-protocol').DatabaseError}
   */
  query(sql) {
    const answer = new EventEmitter();
    /** @type {(string | null)[][]} */
    const rows = [];
    /** @type {unknown} */
    let error;
    void parse(/** @type {any} */ (answer), (/** @type {any} */ message) => {
      if (message.name === 'dataRow') rows.push(message.fields);
      if (message.name === 'error') error ??= message;
    });
    this.execute(serialize.query(sql), (bytes) => answer.emit('data', Buffer.from(bytes)));
    if (error) throw error;
    return rows;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {(bytes: Uint8Array) => void} onAnswer
   */
  execute(bytes, onAnswer) {
    /** @type {Uint8Array[]} */
    let pieces = [];
    let size = 0;
    const handOn = () => {
      if (size > 0) onAnswer(pieces.length === 1 ? /** @type {Uint8Array} */ (pieces[0]) : joined(pieces));
      pieces = [];
      size = 0;
    };
    this.pg
      .execProtocolRawStream(bytes, {
        syncToFs: false,
        // The bytes lie in PGlite's memory and are overwritten by what comes next: copy them.
        onRawData: (data) => {
          pieces.push(data.slice());
          size += data.byteLength;
          if (size >= PIECE_BYTES) handOn();
        },
      })
      .catch(this.die);
    handOn();
  }
}

/** @param {Uint8Array[]} pieces */
const joined = (pieces) => new Uint8Array(Buffer.concat(pieces));

module.exports = { Session };
