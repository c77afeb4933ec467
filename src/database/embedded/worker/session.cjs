// @ts-check
'use strict';

const { EventEmitter } = require('node:events');
const { parse, serialize } = require('pg-protocol');

/**
 * @typedef {['query', string]
 *   | ['parse', { name?: string, text: string, types?: number[] }]
 *   | ['bind', { statement?: string, portal?: string, binary?: boolean, values?: (string | Uint8Array | null)[] }]
 *   | ['describe' | 'close', { type: 'S' | 'P', name?: string }]
 *   | ['execute', { portal?: string, rows?: number }]
 *   | ['flush'] | ['sync']} Message What a client may send, by its name in the PostgreSQL protocol.
 *
 * @typedef {object} Engine
 * @property {(bytes: Buffer, onOutput: (chunk: Uint8Array) => void) => void} execute
 *   Runs messages to their end, synchronously. The chunks handed out are copies.
 * @property {() => boolean} isInTransaction Also when the transaction has failed.
 *
 * @typedef {object} Statement A prepared statement of one client.
 * @property {string} inner Its name in the shared session.
 * @property {string} text
 * @property {number[] | undefined} types
 * @property {number} generation The session's generation when its client made it.
 */

/** What the text of a statement may ask for that needs care; a false alarm costs little. */
const DROPS_STATEMENTS = /\b(?:deallocate|discard)\b/i;
const READS_CLIENT_DATA = /\bstdin\b/i;
const LISTENS = /^\s*(?:un)?listen\b/i;

/** Answers a COPY FROM STDIN, for which PGlite cannot wait. Where nothing was asked for it is ignored. */
const NO_COPY_DATA = serialize.copyFail('the embedded database does not take COPY FROM STDIN');

/** Run instead of LISTEN: whatever is notified would reach the client that happens to run something. */
const LISTEN_REFUSED = `DO $$ BEGIN RAISE feature_not_supported
  USING MESSAGE = 'the embedded database does not support LISTEN'; END $$`;

/** Ends what a client that is gone has left: the error undoes also what only a Sync would have made lasting. */
const ROLL_BACK = Buffer.concat([
  serialize.parse({ text: 'the client is gone' }),
  serialize.sync(),
  serialize.query('ROLLBACK'),
]);

const ignore = () => undefined;

/** @param {string | Uint8Array | null} value */
const asBuffer = (value) =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;

/**
 * The one session of the database as it looks to its clients: each has prepared statements of its own, kept under
 * names that no other client's statements have.
 */
class Session {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    /** @type {Map<number, Map<string, Statement>>} */
    this.clients = new Map();
    /** Statements of clients that are gone. @type {string[]} */
    this.orphans = [];
    /** Moves on when DISCARD ALL or DEALLOCATE ALL may have dropped everybody's statements. */
    this.generation = 0;
    this.statementCounter = 0;
    /** Messages have run whose Sync has not come yet. */
    this.unsynced = false;
  }

  /**
   * Runs a group of messages that belong together.
   * @param {number} client
   * @param {Message[]} messages
   * @param {(chunk: Uint8Array) => void} onOutput
   * @returns {boolean} true while the session is in the middle of something of this client's
   */
  run(client, messages, onOutput) {
    if (!this.unsynced && !this.engine.isInTransaction()) this.closeOrphans();
    const { bytes, drops } = this.serialize(client, messages);
    this.engine.execute(bytes, onOutput);
    if (drops) this.generation += 1;
    this.unsynced = messages.at(-1)?.[0] === 'flush';
    return this.unsynced || this.engine.isInTransaction();
  }

  /**
   * A client is gone, and with it its statements.
   * @param {number} client
   * @param {boolean} holds The session is in the middle of something of this client's.
   */
  leave(client, holds) {
    if (holds) this.engine.execute(ROLL_BACK, ignore);
    if (holds) this.unsynced = false;
    for (const { inner } of this.clients.get(client)?.values() ?? []) this.orphans.push(inner);
    this.clients.delete(client);
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
    this.engine.execute(serialize.query(sql), (chunk) => answer.emit('data', asBuffer(chunk)));
    if (error) throw error;
    return rows;
  }

  /**
   * @param {number} client
   * @param {Message[]} messages
   */
  serialize(client, messages) {
    const texts = messages.map((message) => this.textOf(client, message));
    const parts = messages.flatMap((message) => this.bytesOf(client, message));
    if (texts.some((text) => READS_CLIENT_DATA.test(text))) {
      parts.splice(messages[0]?.[0] === 'query' ? 1 : -1, 0, NO_COPY_DATA);
    }
    const bytes = parts.length === 1 ? /** @type {Buffer} */ (parts[0]) : Buffer.concat(parts);
    return { bytes, drops: texts.some((text) => DROPS_STATEMENTS.test(text)) };
  }

  /**
   * The text of the statement that a message is about, where it may run.
   * @param {number} client
   * @param {Message} message
   */
  textOf(client, [kind, content]) {
    if (kind === 'query') return content;
    if (kind === 'parse') return content.text;
    return kind === 'bind' ? (this.statementOf(client, content.statement)?.text ?? '') : '';
  }

  /**
   * The message as the shared session must see it.
   * @param {number} client
   * @param {Message} message
   * @returns {Buffer[]}
   */
  bytesOf(client, [kind, content]) {
    switch (kind) {
      case 'query':
        return [serialize.query(LISTENS.test(content) ? LISTEN_REFUSED : content)];
      case 'parse':
        return this.define(
          client,
          LISTENS.test(content.text) ? { ...content, text: LISTEN_REFUSED } : content,
        );
      case 'bind': {
        const statement = this.nameOf(client, content.statement);
        const bind = serialize.bind({ ...content, statement, valueMapper: asBuffer });
        return [...this.revive(client, content.statement), bind];
      }
      case 'describe':
      case 'close': {
        if (content.type === 'P') return [serialize[kind](content)];
        const named = serialize[kind]({ type: 'S', name: this.nameOf(client, content.name) });
        return kind === 'close' ? [named] : [...this.revive(client, content.name), named];
      }
      case 'execute':
        return [serialize.execute(content)];
      default:
        return [serialize[kind]()];
    }
  }

  /**
   * @param {number} client
   * @param {{ name?: string, text: string, types?: number[] }} content
   */
  define(client, content) {
    const { name, text, types } = content;
    if (!name) return [serialize.parse(content)];
    const own = this.clients.get(client) ?? new Map();
    this.clients.set(client, own);
    const inner = own.get(name)?.inner ?? `s${client}_${(this.statementCounter += 1)}`;
    own.set(name, { inner, text, types, generation: this.generation });
    return makeAnew(inner, text, types);
  }

  /**
   * A statement that somebody's DISCARD ALL dropped is made again, from then on at every use: whether that succeeded is
   * not looked at, and nobody discards often.
   * @param {number} client
   * @param {string | undefined} name
   */
  revive(client, name) {
    const statement = this.statementOf(client, name);
    if (!statement || statement.generation === this.generation) return [];
    return makeAnew(statement.inner, statement.text, statement.types);
  }

  /**
   * @param {number} client
   * @param {string | undefined} name
   */
  statementOf(client, name) {
    return name ? this.clients.get(client)?.get(name) : undefined;
  }

  /**
   * The name in the shared session; for one the client does not know, a name that no statement has.
   * @param {number} client
   * @param {string | undefined} name
   */
  nameOf(client, name) {
    return name ? (this.statementOf(client, name)?.inner ?? `c${client}:${name}`) : '';
  }

  closeOrphans() {
    if (this.orphans.length === 0) return;
    const closes = this.orphans.map((name) => serialize.close({ type: 'S', name }));
    this.orphans = [];
    this.engine.execute(Buffer.concat([...closes, serialize.sync()]), ignore);
  }
}

/**
 * Closed before: after an error nobody knows whether it was made, and closing what is not there is no error.
 * @param {string} name
 * @param {string} text
 * @param {number[] | undefined} types
 */
function makeAnew(name, text, types) {
  return [serialize.close({ type: 'S', name }), serialize.parse({ name, text, types })];
}

module.exports = { Session };
