// @ts-check
'use strict';

/**
 * @typedef {import('./session.cjs').Group} Group
 *
 * @typedef {object} Session The one session of the database.
 * @property {(client: number, group: Group) => boolean} run
 *   Runs a group to its end. Returns true if the session must stay with the client (a transaction is open).
 * @property {() => void} rollBack Rolls back what a client that is gone has left open.
 */

/** Work of our own waits in the queue like a client of this number. */
const OURSELVES = 0;

/**
 * Shares the one session between clients: each in turn has one group run. A client whose group leaves a
 * transaction open is served alone until the transaction ends.
 */
class SessionQueue {
  /**
   * @param {Session} session
   * @param {(client: number, waiting: number, ms: number) => void} onIdle A client was removed after so long.
   * @param {number} [idleInTransactionMs] How long a client may be idle in a transaction while others wait.
   */
  constructor(session, onIdle, idleInTransactionMs = 20_000) {
    this.session = session;
    this.onIdle = onIdle;
    this.idleInTransactionMs = idleInTransactionMs;
    /** What waits, by client; the clients in the order of their turns. @type {Map<number, (Group | (() => void))[]>} */
    this.waiting = new Map();
    /** The client whose transaction the session is in. @type {number | undefined} */
    this.holder = undefined;
    this.isPlanned = false;
    this.isClosed = false;
    /** @type {NodeJS.Timeout | undefined} */
    this.idleTimer = undefined;
    /** Groups of clients run so far. */
    this.groupsRun = 0;
  }

  /**
   * @param {number} client
   * @param {Group | (() => void)} work
   */
  add(client, work) {
    if (this.isClosed) return;
    const list = this.waiting.get(client);
    if (list) list.push(work);
    else this.waiting.set(client, [work]);
    this.planTurn();
  }

  /**
   * Runs work of our own in its turn, between two groups and in no transaction.
   * @param {() => void} work
   */
  whenFree(work) {
    this.add(OURSELVES, work);
  }

  /**
   * The client is gone: what it has open is rolled back, what it had waiting is not run.
   * @param {number} client
   */
  remove(client) {
    this.waiting.delete(client);
    if (client === this.holder) {
      this.holder = undefined;
      this.session.rollBack();
      this.planTurn();
    }
    this.watchIdleTransaction();
  }

  /** Rolls back what is open and forgets what waits: nothing is run any more. */
  close() {
    this.isClosed = true;
    this.waiting.clear();
    if (this.holder !== undefined) this.remove(this.holder);
    this.watchIdleTransaction();
  }

  /** One turn for each round of the event loop, so that messages that have arrived are taken in. */
  planTurn() {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => {
      this.isPlanned = false;
      this.turn();
    });
  }

  turn() {
    const client = this.holder ?? this.waiting.keys().next().value;
    const list = client === undefined ? undefined : this.waiting.get(client);
    if (client !== undefined && list) this.serve(client, list);
    if (this.holder === undefined ? this.waiting.size > 0 : this.waiting.has(this.holder)) this.planTurn();
    this.watchIdleTransaction();
  }

  /**
   * @param {number} client
   * @param {(Group | (() => void))[]} list
   */
  serve(client, list) {
    const work = /** @type {Group | (() => void)} */ (list.shift());
    // The clients behind it come first.
    this.waiting.delete(client);
    if (list.length > 0) this.waiting.set(client, list);
    clearTimeout(this.idleTimer);
    this.idleTimer = undefined;
    if (typeof work === 'function') return work();
    this.groupsRun += 1;
    this.holder = this.session.run(client, work) ? client : undefined;
  }

  /**
   * Ends an idle transaction as a server's `idle_in_transaction_session_timeout` does, but only while others
   * wait: here they would wait for ever, even if the idle client waits for one of them.
   */
  watchIdleTransaction() {
    const blocks = this.holder !== undefined && !this.waiting.has(this.holder) && this.waiting.size > 0;
    if (blocks) {
      this.idleTimer ??= setTimeout(() => this.endIdleTransaction(), this.idleInTransactionMs);
      return;
    }
    clearTimeout(this.idleTimer);
    this.idleTimer = undefined;
  }

  endIdleTransaction() {
    this.idleTimer = undefined;
    const client = this.holder;
    if (client === undefined || this.waiting.has(client)) return;
    const waiting = this.waiting.size;
    this.remove(client);
    this.onIdle(client, waiting, this.idleInTransactionMs);
  }
}

module.exports = { SessionQueue };
