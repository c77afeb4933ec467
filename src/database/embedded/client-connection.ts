import { EventEmitter } from 'node:events';
import { DatabaseError, parse } from 'pg-protocol';
import { ClientMessages } from './client-messages';

/** What a connection asks of the database's thread. */
export interface ThreadLink {
  /** The number by which the thread knows this connection. */
  readonly client: number;
  /** Messages that belong together; `partial` when more of them follow before others may come in between. */
  run(bytes: Uint8Array<ArrayBuffer>, partial: boolean): void;
  /** Takes back a query of another client that still waits for its turn. */
  cancel(client: number): void;
  /** Rolls back what is open and drops the statements; nothing is answered any more. */
  leave(statements: string[]): void;
}

interface Reply {
  name: string;
  status?: string;
}

/**
 * A connection of `pg`'s `Client` to the embedded database: what belongs to one query travels to the thread
 * as one message, and the answer comes back in PostgreSQL's own form. Has the methods, fields and events of
 * `pg`'s own `Connection` that its `Client` and `Query` use.
 */
export class ClientConnection extends EventEmitter {
  /** Texts of prepared statements by name; kept by `pg`. */
  readonly parsedStatements: Record<string, string> = {};
  readonly submittedNamedStatements: Record<string, string> = {};
  _connecting = false;
  _ending = false;
  /** Cuts the connection, as a lost network would. */
  readonly stream = { destroy: (error?: Error) => this.lose(error) };

  readonly parse: ClientMessages['parse'];
  readonly bind: ClientMessages['bind'];
  readonly describe: ClientMessages['describe'];
  readonly close: ClientMessages['close'];
  readonly execute: ClientMessages['execute'];

  private readonly messages = new ClientMessages();
  private link?: ThreadLink;
  private unanswered = 0;
  private lost = false;
  private readonly answers = new EventEmitter();

  /** @param open resolves when the database runs; from then on answers arrive */
  constructor(private readonly open: (connection: ClientConnection) => Promise<ThreadLink>) {
    super();
    const { messages } = this;
    this.parse = (statement) => messages.parse(statement);
    this.bind = (config) => messages.bind(config);
    this.describe = (what) => messages.describe(what);
    this.close = (what) => messages.close(what);
    this.execute = (config) => messages.execute(config);
    void parse(this.answers as NodeJS.ReadableStream, (reply: Reply) => this.pass(reply));
  }

  /** The number by which the thread knows this connection, once it is open. */
  get id(): number {
    return this.messages.client;
  }

  connect(): void {
    this._connecting = true;
    this.open(this).then(
      (link) => {
        if (this.lost) return link.leave([]);
        this.link = link;
        this.messages.client = link.client;
        this.emit('connect');
      },
      (error: Error) => this.lose(error),
    );
  }

  /** Nobody has to be convinced: the client may begin. */
  startup(): void {
    this.emit('backendKeyData', { processID: this.id, secretKey: 0 });
    this.emit('readyForQuery', { status: 'I' });
  }

  query(text: string): void {
    this.messages.query(text);
    this.send();
  }

  sync(): void {
    this.messages.sync();
    this.send();
  }

  flush(): void {
    this.messages.flush();
    this.link?.run(this.messages.take(), true);
  }

  cancel(client: number): void {
    this.link?.cancel(client);
    this.end();
  }

  /** The database has been told already that there is no COPY data. */
  sendCopyFail(): void {}

  ref(): void {}

  unref(): void {}

  /** What was sent is still answered. */
  end(): void {
    this._ending = true;
    if (this.unanswered === 0) this.lose();
  }

  /** A part of an answer. */
  receive(bytes: Uint8Array): void {
    this.answers.emit('data', Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** The query at the head was taken back before it ran. */
  cancelled(): void {
    this.pass(databaseError('ERROR', '57014', 'canceling statement due to user request'));
    this.pass({ name: 'readyForQuery', status: 'I' });
  }

  /** The database has ended the connection, and says why. */
  terminated(code: string, message: string, hint?: string): void {
    this.pass(databaseError('FATAL', code, message, hint));
    this.lose();
  }

  /** Nothing is sent or received from here on. */
  lose(error?: Error): void {
    if (this.lost) return;
    this.lost = true;
    this.link?.leave(this.messages.statementNames());
    this.link = undefined;
    process.nextTick(() => {
      if (error && !this._ending) this.emit('error', error);
      this.emit('end');
    });
  }

  private send(): void {
    this.unanswered += 1;
    this.link?.run(this.messages.take(), false);
  }

  private pass(reply: Reply): void {
    if (this.lost) return;
    this.emit(reply.name === 'error' ? 'errorMessage' : reply.name, reply);
    if (reply.name !== 'readyForQuery') return;
    this.unanswered -= 1;
    if (this._ending) this.end();
  }
}

function databaseError(severity: string, code: string, message: string, hint?: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { severity, code, hint });
}
