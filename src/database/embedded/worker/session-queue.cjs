// @ts-check
'use strict';

/**
 * @typedef {import('./session.cjs').Group} Group
 *
 * @typedef {object} Session The one session of the database.
 * @property {(client: number, group: Group) => boolean} run
 *   Runs a group to its end; true when the session has to stay with the client (a transaction is open).
 * @property {() => void} rollBack Ends what a client that is gone has left open.
 * @property {() => void} beforeTurn Called before each turn while nobody has anything open.
 *
 * @typedef {object} QueueOptions
 * @property {number} [idleInTransactionMs] How long a client may sit idle in a transaction while others wait.
 * @property {(client: number, waiting: number, ms: number) => void} [onIdle] It was removed after so long.
 * @property {(callback: () => void) => void} [defer] Runs it after messages that have arrived are taken in.
 * @property {(callback: () => void, ms: number) => any} [setTimer]
 * @property {(timer: any) => void} [clearTimer]
 */

/**
 * Shares one database session between clients: each in turn has one group run, and one whose group leaves a
 * transaction open is served alone until the transaction ends.
 */
class SessionQueue {
  /**
   * @param {Session} session
   * @param {QueueOptions} [options]
   */
  constructor(session, options = {}) {
    this.session = session;
    this.idleInTransactionMs = options.idleInTransactionMs ?? 20_000;
    this.onIdle = options.onIdle ?? (() => undefined);
    this.defer = options.defer ?? ((callback) => void setImmediate(callback));
    this.setTimer = options.setTimer ?? ((callback, ms) => setTimeout(callback, ms));
    this.clearTimer = options.clearTimer ?? ((timer) => clearTimeout(timer));

    /** Groups that wait, by client; the clients in the order of their turns. @type {Map<number, Group[]>} */
    this.waiting = new Map();
    /** The client whose transaction the session is in. @type {number | undefined} */
    this.holder = undefined;
    /** Each with how many clients have their turn before it. @type {{ work: () => void, after: number }[]} */
    this.ownWork = [];
    this.turnPlanned = false;
    this.closed = false;
    /** @type {any} */
    this.idleTimer = undefined;
    /** Groups run so far: a measure of activity for whoever looks after the database. */
    this.groupsRun = 0;
  }

  /**
   * @param {number} client
   * @param {Group} group
   */
  add(client, group) {
    if (this.closed) return;
    const groups = this.waiting.get(client);
    if (groups) groups.push(group);
    else this.waiting.set(client, [group]);
    this.planTurn();
  }

  /**
   * Takes back the next group of a client that waits for its turn; one that runs cannot be interrupted, and
   * one inside the client's own transaction is about to run.
   * @param {number} client
   * @returns {Group | undefined}
   */
  cancel(client) {
    if (client === this.holder) return undefined;
    const groups = this.waiting.get(client);
    // The rest of a paged query comes later, and must find its beginning.
    if (groups?.[0]?.partial) return undefined;
    if (groups?.length === 1) this.waiting.delete(client);
    return groups?.shift();
  }

  /**
   * The client is gone: what it has not finished is rolled back, what it had waiting is not run.
   * @param {number} client
   */
  remove(client) {
    const holds = client === this.holder;
    this.waiting.delete(client);
    if (holds) this.holder = undefined;
    if (holds) {
      this.session.rollBack();
      this.planTurn();
    }
    this.watchIdleTransaction();
  }

  /**
   * Runs work of our own when the session is nobody's: between two groups, in no transaction. The clients
   * that wait now have their turn before it.
   * @param {() => void} work
   */
  whenFree(work) {
    if (this.closed) return;
    this.ownWork.push({ work, after: this.waiting.size });
    this.planTurn();
  }

  /** Rolls back what is open and forgets what waits: nothing is run any more. */
  close() {
    this.closed = true;
    this.waiting.clear();
    this.ownWork = [];
    if (this.holder !== undefined) this.remove(this.holder);
    this.watchIdleTransaction();
  }

  planTurn() {
    if (this.turnPlanned) return;
    this.turnPlanned = true;
    this.defer(() => {
      this.turnPlanned = false;
      this.turn();
    });
  }

  turn() {
    if (this.holder === undefined) {
      this.session.beforeTurn();
      const [own] = this.ownWork;
      if (own && (own.after === 0 || this.waiting.size === 0)) {
        this.ownWork.shift();
        own.work();
      }
    }
    const client = this.holder ?? this.waiting.keys().next().value;
    const groups = client === undefined ? undefined : this.waiting.get(client);
    if (client !== undefined && groups) this.serve(client, groups);
    if (this.holder === undefined ? this.waiting.size + this.ownWork.length : this.waiting.has(this.holder)) {
      this.planTurn();
    }
    this.watchIdleTransaction();
  }

  /**
   * @param {number} client
   * @param {Group[]} groups
   */
  serve(client, groups) {
    const group = /** @type {Group} */ (groups.shift());
    // Those behind it come first.
    this.waiting.delete(client);
    if (groups.length > 0) this.waiting.set(client, groups);
    this.groupsRun += 1;
    for (const own of this.ownWork) if (own.after > 0) own.after -= 1;
    this.stopIdleTimer();
    this.holder = this.session.run(client, group) ? client : undefined;
  }

  /**
   * A server lets a client sit idle in a transaction, because others have sessions of their own. Here they
   * would wait for ever, also when the sitting one waits for one of them. Ends it as
   * idle_in_transaction_session_timeout does.
   */
  watchIdleTransaction() {
    const blocks = this.holder !== undefined && !this.waiting.has(this.holder) && this.waiting.size > 0;
    if (!blocks) this.stopIdleTimer();
    else this.idleTimer ??= this.setTimer(() => this.endIdleTransaction(), this.idleInTransactionMs);
  }

  stopIdleTimer() {
    if (this.idleTimer !== undefined) this.clearTimer(this.idleTimer);
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
