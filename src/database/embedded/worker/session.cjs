// @ts-check
'use strict';

const { EventEmitter } = require('node:events');
const { parse, serialize } = require('pg-protocol');

/**
 * @typedef {object} Group Messages that must reach the session together: one query.
 * @property {number} id The number the client gave it.
 * @property {Uint8Array} bytes
 * @property {boolean} partial More messages follow before the query is over.
 *
 * @typedef {object} Engine
 * @property {(bytes: Uint8Array, onOutput: (chunk: Uint8Array) => void) => void} execute
 *   Runs messages to their end, synchronously. The chunks handed out are copies.
 * @property {() => boolean} isInTransaction Also when the transaction has failed.
 */

/** Ends what a client that is gone has left: the error undoes also what a Sync alone would have committed. */
const ROLL_BACK = Buffer.concat([
  serialize.parse({ text: 'the client is gone' }),
  serialize.sync(),
  serialize.query('ROLLBACK'),
]);

const ignore = () => undefined;

/** The one session of the database. */
class Session {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    /** Prepared statements of clients that are gone. @type {string[]} */
    this.orphans = [];
  }

  /**
   * Runs a group.
   * @param {Group} group
   * @param {(chunk: Uint8Array) => void} onOutput
   * @returns {boolean} true when the session is in the middle of something afterwards
   */
  run({ bytes, partial }, onOutput) {
    this.engine.execute(bytes, onOutput);
    return partial || this.engine.isInTransaction();
  }

  rollBack() {
    this.engine.execute(ROLL_BACK, ignore);
  }

  /**
   * Drops statements at the next `closeOrphans`.
   * @param {string[]} statements
   */
  orphan(statements) {
    this.orphans.push(...statements);
  }

  /** To be called while nobody is in the middle of something. */
  closeOrphans() {
    if (this.orphans.length === 0) return;
    const closes = this.orphans.map((name) => serialize.close({ type: 'S', name }));
    this.orphans = [];
    this.engine.execute(Buffer.concat([...closes, serialize.sync()]), ignore);
  }

  /**
   * Runs a statement of our own.
   * @param {string} sql
   * @returns {(string | null)[][]} its rows, every value as text
   * @throws {import('pg-protocol').DatabaseError}
   */
  ask(sql) {
    const answer = new EventEmitter();
    /** @type {(string | null)[][]} */
    const rows = [];
    /** @type {unknown} */
    let error;
    void parse(/** @type {any} */ (answer), (/** @type {any} */ message) => {
      if (message.name === 'dataRow') rows.push(message.fields);
      if (message.name === 'error') error ??= message;
    });
    this.engine.execute(serialize.query(sql), (chunk) => answer.emit('data', Buffer.from(chunk)));
    if (error) throw error;
    return rows;
  }
}

module.exports = { Session };
