// @ts-check
'use strict';

const { randomInt } = require('node:crypto');
const {
  Backend,
  CANCEL_REQUEST,
  Frontend,
  GSS_ENCRYPTION_REQUEST,
  MessageCutter,
  PROTOCOL_3_0,
  ProtocolViolation,
  ReplyScanner,
  SSL_REQUEST,
  authenticationOk,
  backendKeyData,
  closeStatement,
  copyInResponse,
  eachMessage,
  errorResponse,
  flush,
  isCopyFromStdin,
  message,
  cString,
  negotiateProtocolVersion,
  query,
  readCString,
  readyForQuery,
  sync,
} = require('./wire.cjs');

/** Names of prepared statements hold this many bytes; the server cuts longer ones without a word. */
const MAX_NAME_BYTES = 63;

/** Describe and Close name a statement (S) or a portal (P). */
const STATEMENT = 0x53;

/** What a statement's text may ask for that needs care; a false alarm costs little. */
const DROPS_STATEMENTS = /\b(?:deallocate|discard)\b/i;
const READS_CLIENT_DATA = /\bstdin\b/i;

/** Answers a COPY … FROM STDIN that came in a way in which no data can follow it. Elsewhere servers ignore it. */
const NO_COPY_DATA = message(
  Frontend.CopyFail,
  cString('the embedded database takes COPY FROM STDIN only as a simple query of its own'),
);

/**
 * @typedef {'I' | 'T' | 'E'} TransactionStatus idle, in a transaction, in a failed transaction
 *
 * @typedef {object} Engine The one database session.
 * @property {(bytes: Buffer, onOutput: (chunk: Buffer) => void) => void} run
 *   Runs one group of messages to its end, synchronously. The chunks handed out are copies.
 * @property {Buffer} parameterStatus What a server tells every client at its start (ParameterStatus messages).
 *
 * @typedef {object} Transport The way back to the clients.
 * @property {(id: number, chunk: Buffer) => void} deliver
 * @property {(id: number) => void} end The connection is over; nothing is delivered to it any more.
 * @property {(id: number, bytes: number) => void} consumed So many bytes of the client's are taken in.
 *
 * @typedef {object} BrokerOptions
 * @property {number} [idleInTransactionMs] How long a connection may sit idle in a transaction while others wait.
 * @property {number} [maxUnreadBytes] A connection with more unread answers than this gets no further turn.
 * @property {(callback: () => void) => void} [defer] Runs the callback after messages that have arrived are taken in.
 * @property {(callback: () => void, ms: number) => any} [setTimer]
 * @property {(timer: any) => void} [clearTimer]
 * @property {(text: string) => void} [warn]
 *
 * @typedef {object} Statement A prepared statement of one connection.
 * @property {string} name Its name in the shared session.
 * @property {Buffer} parse The message that makes it, with that name.
 * @property {number} generation The session's generation it was last made in.
 * @property {boolean} drops True for DISCARD and DEALLOCATE.
 * @property {boolean} reads True for COPY FROM STDIN.
 *
 * @typedef {object} PendingChange A Parse or Close on its way: it counts once the session has confirmed it.
 * @property {string | undefined} name undefined for the Close of a portal
 * @property {Statement | undefined} statement undefined for a Close
 *
 * @typedef {object} Group Messages that must reach the session together.
 * @property {'simple' | 'extended' | 'partial' | 'copy' | 'terminate'} kind
 * @property {Buffer[]} messages
 * @property {boolean} complete False for a COPY whose data has not arrived in full.
 * @property {boolean} invited For a COPY: the client was told to send.
 */

class Connection {
  /** @param {number} id */
  constructor(id) {
    this.id = id;
    this.secret = randomInt(0x7fffffff);
    this.cutter = new MessageCutter();
    this.started = false;
    /** @type {Buffer[]} */
    this.collected = [];
    /** @type {Group[]} */
    this.groups = [];
    /** @type {Group | undefined} */
    this.copy = undefined;
    /** @type {Map<string, Statement>} */
    this.statements = new Map();
    this.unread = 0;
    this.waiting = false;
    /** Messages were run without their Sync: the session's state is half this connection's until it comes. */
    this.unsynced = false;
  }
}

/**
 * Shares one database session between many connections, the way a server with many sessions would look to them.
 *
 * Two rules make that correct:
 * - Messages that belong together (a simple query; an extended sequence up to its Sync; a COPY with its data) reach
 *   the session together, so no other connection's message lands between a Parse and its Execute.
 * - When a group leaves a transaction open, only that connection is served until the transaction ends.
 *
 * Otherwise connections take turns, one group each. What a session holds beyond a transaction is kept apart where the
 * protocol names it (prepared statements) and shared where it cannot be (SET, temporary tables, session advisory
 * locks, LISTEN).
 */
class SessionBroker {
  /**
   * @param {Engine} engine
   * @param {Transport} transport
   * @param {BrokerOptions} [options]
   */
  constructor(engine, transport, options = {}) {
    this.engine = engine;
    this.transport = transport;
    this.idleInTransactionMs = options.idleInTransactionMs ?? 20_000;
    this.maxUnreadBytes = options.maxUnreadBytes ?? 8 * 1024 * 1024;
    this.defer = options.defer ?? ((callback) => void setImmediate(callback));
    this.setTimer = options.setTimer ?? ((callback, ms) => setTimeout(callback, ms));
    this.clearTimer = options.clearTimer ?? ((timer) => clearTimeout(timer));
    this.warn = options.warn ?? (() => undefined);

    /** @type {Map<number, Connection>} */
    this.connections = new Map();
    /** Connections with a group to run, in the order of their turns. @type {Connection[]} */
    this.queue = [];
    /** The connection whose transaction (or unsynced sequence) the session is in. @type {Connection | undefined} */
    this.holder = undefined;
    /** Statements of connections that are gone. @type {string[]} */
    this.orphans = [];
    /** Moves on when a DISCARD ALL or DEALLOCATE ALL drops everybody's statements. */
    this.generation = 0;
    /** Whose unnamed statement the session holds. @type {Connection | undefined} */
    this.unnamedOwner = undefined;
    this.statementCounter = 0;
    this.turnPlanned = false;
    /** @type {(() => void)[]} */
    this.ownWork = [];
    /** @type {any} */
    this.idleTimer = undefined;
    /** Groups run so far: a measure of activity for whoever looks after the database. */
    this.groupsRun = 0;
  }

  /** @param {number} id */
  open(id) {
    this.connections.set(id, new Connection(id));
  }

  /**
   * Bytes from a client.
   * @param {number} id
   * @param {Uint8Array} chunk
   */
  receive(id, chunk) {
    const connection = this.connections.get(id);
    if (!connection) return;
    this.transport.consumed(id, chunk.byteLength);
    connection.cutter.push(chunk);
    try {
      this.takeIn(connection);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      this.terminate(connection, errorResponse('FATAL', '08P01', error.message));
    }
  }

  /**
   * The client has read so many bytes of its answers.
   * @param {number} id
   * @param {number} bytes
   */
  acknowledge(id, bytes) {
    const connection = this.connections.get(id);
    if (!connection) return;
    connection.unread -= bytes;
    if (connection.groups.length > 0) this.planTurn();
  }

  /**
   * The client will send nothing more: the connection ends when what it has sent is done.
   * @param {number} id
   */
  leave(id) {
    const connection = this.connections.get(id);
    if (!connection) return;
    this.close(connection, 'terminate', Buffer.alloc(0));
    this.enqueue(connection);
  }

  /**
   * The client is gone without a word. What it had not finished is rolled back.
   * @param {number} id
   */
  vanish(id) {
    const connection = this.connections.get(id);
    if (connection) this.forget(connection);
  }

  /**
   * Runs work of our own at the next moment when the session is nobody's: between two groups, in no transaction.
   * @param {() => void} work
   */
  whenFree(work) {
    this.ownWork.push(work);
    this.planTurn();
  }

  /** Ends all connections, rolling back what is open. */
  shutdown() {
    for (const connection of [...this.connections.values()]) {
      this.terminate(connection, errorResponse('FATAL', '57P01', 'the embedded database is closing'));
    }
    if (this.idleTimer) this.clearTimer(this.idleTimer);
    this.idleTimer = undefined;
  }

  /** @param {Connection} connection */
  takeIn(connection) {
    while (!connection.started) {
      const packet = connection.cutter.nextStartupPacket();
      if (!packet) return;
      this.startUp(connection, packet);
      if (!this.connections.has(connection.id)) return;
    }
    for (let next = connection.cutter.nextMessage(); next; next = connection.cutter.nextMessage()) {
      this.collect(connection, next);
      if (!this.connections.has(connection.id)) return;
    }
    if (connection.groups.length > 0) this.enqueue(connection);
  }

  /**
   * @param {Connection} connection
   * @param {Buffer} packet
   */
  startUp(connection, packet) {
    const code = packet.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_ENCRYPTION_REQUEST) {
      this.send(connection, Buffer.from('N'));
      return;
    }
    if (code === CANCEL_REQUEST) {
      if (packet.length >= 16) this.cancel(packet.readInt32BE(8), packet.readInt32BE(12));
      this.forget(connection);
      return;
    }
    if (code >>> 16 !== 3) {
      const text = `unsupported frontend protocol ${code >>> 16}.${code & 0xffff}: the server supports 3.0`;
      this.terminate(connection, errorResponse('FATAL', '0A000', text));
      return;
    }
    connection.started = true;
    this.send(
      connection,
      Buffer.concat([
        ...(code > PROTOCOL_3_0 ? [negotiateProtocolVersion(PROTOCOL_3_0)] : []),
        authenticationOk(),
        this.engine.parameterStatus,
        backendKeyData(connection.id, connection.secret),
        readyForQuery('I'),
      ]),
    );
  }

  /**
   * A statement that runs cannot be interrupted; one that still waits for its turn can be taken back.
   * @param {number} id
   * @param {number} secret
   */
  cancel(id, secret) {
    const connection = this.connections.get(id);
    if (!connection || connection.secret !== secret || connection === this.holder) return;
    const group = connection.groups[0];
    if (!group || (group.kind !== 'simple' && group.kind !== 'extended')) return;
    connection.groups.shift();
    const text = 'canceling statement due to user request';
    this.send(connection, Buffer.concat([errorResponse('ERROR', '57014', text), readyForQuery('I')]));
  }

  /**
   * Sorts one message into the group it belongs to.
   * @param {Connection} connection
   * @param {Buffer} next
   */
  collect(connection, next) {
    const type = next[0];
    const copy = connection.copy;
    if (copy) {
      if (type === Frontend.CopyData || type === Frontend.CopyDone || type === Frontend.CopyFail) {
        copy.messages.push(next);
        if (type !== Frontend.CopyData) {
          copy.complete = true;
          connection.copy = undefined;
        }
        return;
      }
      // The protocol lets a client send these during a COPY, without effect.
      if (type === Frontend.Flush || type === Frontend.Sync) return;
      if (type !== Frontend.Terminate)
        throw new ProtocolViolation('unexpected message during COPY from stdin');
      connection.copy = undefined;
      connection.groups.pop();
    }
    switch (type) {
      case Frontend.Query: {
        const isCopy = connection.collected.length === 0 && isCopyFromStdin(next);
        const group = this.close(connection, isCopy ? 'copy' : 'simple', next);
        if (isCopy) {
          group.complete = false;
          connection.copy = group;
        }
        return;
      }
      case Frontend.FunctionCall:
        this.close(connection, 'simple', next);
        return;
      case Frontend.Sync:
        this.close(connection, 'extended', next);
        return;
      case Frontend.Flush:
        this.close(connection, 'partial', next);
        return;
      case Frontend.Terminate:
        connection.collected = [];
        this.close(connection, 'terminate', next);
        return;
      case Frontend.Parse:
      case Frontend.Bind:
      case Frontend.Describe:
      case Frontend.Execute:
      case Frontend.Close:
        connection.collected.push(next);
        return;
      case Frontend.CopyData:
      case Frontend.CopyDone:
      case Frontend.CopyFail:
        // Left over from a COPY that has already failed: servers ignore them, too.
        return;
      default:
        throw new ProtocolViolation(`invalid frontend message type ${type}`);
    }
  }

  /**
   * @param {Connection} connection
   * @param {Group['kind']} kind
   * @param {Buffer} last
   */
  close(connection, kind, last) {
    /** @type {Group} */
    const group = { kind, messages: [...connection.collected, last], complete: true, invited: false };
    connection.collected = [];
    connection.groups.push(group);
    return group;
  }

  /** @param {Connection} connection */
  enqueue(connection) {
    if (connection.groups[0]?.kind === 'terminate') {
      // Nothing to run: a client that leaves need not wait for the session.
      this.forget(connection);
      return;
    }
    if (!connection.waiting && connection !== this.holder) {
      connection.waiting = true;
      this.queue.push(connection);
    }
    this.planTurn();
  }

  planTurn() {
    if (this.turnPlanned) return;
    this.turnPlanned = true;
    this.defer(() => {
      this.turnPlanned = false;
      this.turn();
    });
  }

  /** One group of one connection. */
  turn() {
    if (!this.holder) this.ownWork.shift()?.();
    const connection = this.pick();
    if (connection) {
      this.serve(connection);
      if (connection.groups.length > 0 && this.connections.has(connection.id)) this.enqueue(connection);
      if (this.queue.length > 0 || this.holder) this.planTurn();
    }
    if (this.ownWork.length > 0 && !this.holder) this.planTurn();
    this.watchIdleTransaction();
  }

  /**
   * Whose turn it is; a COPY at the head of a queue that lacks its data is invited and passed over.
   * @returns {Connection | undefined}
   */
  pick() {
    if (this.holder) return this.canRun(this.holder) ? this.holder : undefined;
    for (let index = 0; index < this.queue.length; index += 1) {
      const connection = /** @type {Connection} */ (this.queue[index]);
      if (!this.canRun(connection)) continue;
      this.queue.splice(index, 1);
      connection.waiting = false;
      return connection;
    }
    return undefined;
  }

  /** @param {Connection} connection */
  canRun(connection) {
    const group = connection.groups[0];
    if (!group || connection.unread > this.maxUnreadBytes) return false;
    if (group.kind === 'copy' && !group.invited) {
      group.invited = true;
      this.send(connection, copyInResponse());
    }
    return group.complete;
  }

  /** @param {Connection} connection */
  serve(connection) {
    const group = /** @type {Group} */ (connection.groups.shift());
    this.groupsRun += 1;
    if (!this.holder) this.closeOrphans();

    const { bytes, changes, drops } = this.translate(connection, group);
    const scanner =
      changes.length > 0 ? new ReplyScanner((type) => this.confirm(connection, changes, type)) : undefined;
    const isCopy = group.kind === 'copy';
    let tail = Buffer.alloc(0);
    /** @type {Buffer[]} */
    const kept = [];
    this.engine.run(bytes, (chunk) => {
      tail = Buffer.from(chunk.length >= 6 ? chunk.subarray(-6) : Buffer.concat([tail, chunk]).subarray(-6));
      if (changes.length > 0) scanner?.push(chunk);
      if (drops || isCopy) kept.push(chunk);
      if (!isCopy) this.send(connection, chunk);
    });
    // The client was invited to send its data before; it must not be told twice.
    if (isCopy) this.send(connection, without(Buffer.concat(kept), Backend.CopyInResponse));
    if (drops) this.noticeDroppedStatements(connection, Buffer.concat(kept));

    if (group.kind === 'partial') {
      connection.unsynced = true;
      this.hold(connection);
      return;
    }
    connection.unsynced = false;
    if (statusIn(tail) === 'I') this.release(connection);
    else this.hold(connection);
  }

  /** @param {Connection} connection */
  hold(connection) {
    this.holder = connection;
    if (connection.waiting) {
      connection.waiting = false;
      this.queue.splice(this.queue.indexOf(connection), 1);
    }
  }

  /** @param {Connection} connection */
  release(connection) {
    if (this.holder === connection) this.holder = undefined;
  }

  /**
   * The group as the shared session must see it: statement names of this connection replaced by ones of their own,
   * and statements that somebody else's DISCARD dropped made again. Portals keep their names: they end with their
   * transaction, and while it lasts no other connection is served.
   * @param {Connection} connection
   * @param {Group} group
   */
  translate(connection, group) {
    let drops = false;
    let reads = false;
    /** @type {PendingChange[]} */
    const changes = [];
    /** What the group's own Parse messages define. @type {Map<string, Statement>} */
    const defined = new Map();
    const messages = group.messages.map((original) => {
      switch (original[0]) {
        case Frontend.Query: {
          // A simple query drops the unnamed statement.
          this.unnamedOwner = undefined;
          const demands = demandsOf(original, 5);
          drops ||= demands.drops;
          reads ||= demands.reads && group.kind !== 'copy';
          return original;
        }
        case Frontend.Parse: {
          const { text: name, end } = readCString(original, 5);
          const statement = this.define(connection, name, original.subarray(end));
          if (name === '') this.unnamedOwner = connection;
          defined.set(name, statement);
          changes.push({ name, statement });
          return statement.parse;
        }
        case Frontend.Bind: {
          const portal = readCString(original, 5);
          const { text: name, end } = readCString(original, portal.end);
          const statement = defined.get(name) ?? this.refer(connection, name);
          drops ||= statement?.drops ?? false;
          reads ||= statement?.reads ?? false;
          if (name === '') return original;
          const mapped = statement?.name ?? unknownName(connection, name);
          return message(
            Frontend.Bind,
            original.subarray(5, portal.end),
            cString(mapped),
            original.subarray(end),
          );
        }
        case Frontend.Describe: {
          if (original[5] !== STATEMENT) return original;
          const { text: name } = readCString(original, 6);
          const statement = defined.get(name) ?? this.refer(connection, name);
          if (name === '') return original;
          const mapped = statement?.name ?? unknownName(connection, name);
          return message(Frontend.Describe, Buffer.from('S'), cString(mapped));
        }
        case Frontend.Close: {
          if (original[5] !== STATEMENT) {
            changes.push({ name: undefined, statement: undefined });
            return original;
          }
          const { text: name } = readCString(original, 6);
          const statement = defined.get(name) ?? connection.statements.get(name);
          changes.push({ name, statement: undefined });
          return name === '' ? original : closeStatement(statement?.name ?? unknownName(connection, name));
        }
        default:
          return original;
      }
    });
    if (reads)
      messages.splice(group.kind === 'simple' ? messages.length : messages.length - 1, 0, NO_COPY_DATA);
    const bytes = messages.length === 1 ? /** @type {Buffer} */ (messages[0]) : Buffer.concat(messages);
    return { bytes, changes, drops };
  }

  /**
   * The session confirms a Parse or a Close, in the order they were sent; after an error it confirms none.
   * @param {Connection} connection
   * @param {PendingChange[]} changes
   * @param {number} type
   */
  confirm(connection, changes, type) {
    if (type !== Backend.ParseComplete && type !== Backend.CloseComplete) return;
    const change = changes.shift();
    if (change?.name === undefined) return;
    if (change.statement) connection.statements.set(change.name, change.statement);
    else connection.statements.delete(change.name);
  }

  /**
   * @param {Connection} connection
   * @param {string} name
   * @param {Buffer} rest the Parse message behind the name
   * @returns {Statement}
   */
  define(connection, name, rest) {
    // A name in use keeps its inner name, so that the session refuses the second Parse as it should.
    let inner = connection.statements.get(name)?.name;
    if (inner === undefined) {
      this.statementCounter += 1;
      inner = name === '' ? '' : `s${connection.id}_${this.statementCounter}`;
    }
    return {
      name: inner,
      parse: message(Frontend.Parse, cString(inner), rest),
      generation: this.generation,
      ...demandsOf(rest, 0),
    };
  }

  /**
   * A statement made in an earlier group, made again if the session has lost it.
   * @param {Connection} connection
   * @param {string} name
   */
  refer(connection, name) {
    const statement = connection.statements.get(name);
    if (!statement) return undefined;
    const lost = name === '' ? this.unnamedOwner !== connection : statement.generation !== this.generation;
    if (lost) {
      // A Sync would end the sequence that an unsynced connection is in.
      const end = connection.unsynced ? flush() : sync();
      this.engine.run(Buffer.concat([statement.parse, end]), () => undefined);
      statement.generation = this.generation;
      if (name === '') this.unnamedOwner = connection;
    }
    return statement;
  }

  /**
   * DISCARD ALL and DEALLOCATE ALL reach the statements of all connections, because they share a session. The
   * caller's are gone as it asked; the others' are made again when they are next used.
   * @param {Connection} connection
   * @param {Buffer} output
   */
  noticeDroppedStatements(connection, output) {
    eachMessage(output, (type, reply) => {
      if (type !== Backend.CommandComplete) return;
      const { text } = readCString(reply, 5);
      if (text !== 'DEALLOCATE ALL' && text !== 'DISCARD ALL') return;
      this.generation += 1;
      this.unnamedOwner = undefined;
      this.orphans = [];
      connection.statements.clear();
    });
  }

  closeOrphans() {
    if (this.orphans.length === 0) return;
    const names = this.orphans;
    this.orphans = [];
    this.runQuietly(Buffer.concat([...names.map(closeStatement), sync()]));
  }

  /**
   * Runs messages of our own and reads only what state they leave.
   * @param {Buffer} bytes
   * @returns {TransactionStatus}
   */
  runQuietly(bytes) {
    /** @type {Buffer[]} */
    const output = [];
    this.engine.run(bytes, (chunk) => output.push(chunk));
    return statusIn(Buffer.concat(output).subarray(-6));
  }

  /**
   * Says goodbye with an error, then forgets.
   * @param {Connection} connection
   * @param {Buffer} error
   */
  terminate(connection, error) {
    this.send(connection, error);
    this.forget(connection);
  }

  /** @param {Connection} connection */
  forget(connection) {
    this.connections.delete(connection.id);
    connection.groups = [];
    if (connection.waiting) this.queue.splice(this.queue.indexOf(connection), 1);
    connection.waiting = false;
    if (this.unnamedOwner === connection) this.unnamedOwner = undefined;
    if (this.holder === connection) {
      const status = connection.unsynced ? this.runQuietly(sync()) : 'T';
      if (status !== 'I') this.runQuietly(query('ROLLBACK'));
      this.holder = undefined;
    }
    for (const statement of connection.statements.values()) {
      if (statement.name !== '' && statement.generation === this.generation)
        this.orphans.push(statement.name);
    }
    connection.statements.clear();
    this.transport.end(connection.id);
    if (this.queue.length > 0) this.planTurn();
    this.watchIdleTransaction();
  }

  /**
   * A server lets a client sit idle in a transaction, because others have sessions of their own. Here they would wait
   * for ever, also when the sitting one waits for one of them. Ends it as idle_in_transaction_session_timeout does.
   */
  watchIdleTransaction() {
    const holder = this.holder;
    const blocking =
      holder !== undefined &&
      !this.canRun(holder) &&
      this.queue.some((waiting) => waiting.groups[0]?.complete);
    if (!blocking) {
      if (this.idleTimer) this.clearTimer(this.idleTimer);
      this.idleTimer = undefined;
      return;
    }
    if (this.idleTimer) return;
    this.idleTimer = this.setTimer(() => {
      this.idleTimer = undefined;
      if (this.holder !== holder || this.canRun(holder)) return;
      const seconds = Math.round(this.idleInTransactionMs / 1000);
      const text = `terminating connection: idle in a transaction for ${seconds} s while others waited`;
      const hint =
        'The embedded database has one session. Code inside a transaction must not wait for another connection.';
      this.warn(`${text} (${this.queue.length} waiting). ${hint}`);
      this.terminate(holder, errorResponse('FATAL', '25P03', text, hint));
    }, this.idleInTransactionMs);
  }

  /**
   * @param {Connection} connection
   * @param {Buffer} chunk
   */
  send(connection, chunk) {
    connection.unread += chunk.length;
    this.transport.deliver(connection.id, chunk);
  }
}

/**
 * The transaction status at the end of a group's answer: groups end with ReadyForQuery.
 * @param {Buffer} tail its last six bytes
 * @returns {TransactionStatus}
 */
function statusIn(tail) {
  const status = String.fromCharCode(tail[5] ?? 0);
  if (
    tail.length === 6 &&
    tail[0] === Backend.ReadyForQuery &&
    (status === 'I' || status === 'T' || status === 'E')
  ) {
    return status;
  }
  throw new Error('the database session answered without ReadyForQuery');
}

/**
 * @param {Buffer} bytes
 * @param {number} start where the statement's text begins
 */
function demandsOf(bytes, start) {
  const text = bytes.toString('latin1', start, Math.min(bytes.length, start + 8192));
  return { drops: DROPS_STATEMENTS.test(text), reads: READS_CLIENT_DATA.test(text) };
}

/**
 * @param {Buffer} bytes
 * @param {number} unwanted
 */
function without(bytes, unwanted) {
  /** @type {Buffer[]} */
  const kept = [];
  eachMessage(bytes, (type, reply) => {
    if (type !== unwanted) kept.push(reply);
  });
  return Buffer.concat(kept);
}

/**
 * A name that no statement has, but that still tells the client what it asked for in the server's error.
 * @param {Connection} connection
 * @param {string} name
 */
function unknownName(connection, name) {
  const shown = `c${connection.id}:${name}`;
  return Buffer.byteLength(shown) <= MAX_NAME_BYTES ? shown : `c${connection.id}:?`;
}

module.exports = { SessionBroker };
