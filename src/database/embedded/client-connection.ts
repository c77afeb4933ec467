import { EventEmitter } from 'node:events';
import { DatabaseError, parse } from 'pg-protocol';
import type { Message } from './worker/session.cjs';

/** What a connection asks of the database's thread. */
export interface ThreadLink {
  /** Messages that belong together. */
  run(messages: Message[]): void;
  /** Takes back a query of another client that still waits for its turn. */
  cancel(client: number): void;
  /** Rolls back what is open; nothing is answered any more. */
  leave(): void;
}

interface Ended {
  code: string;
  message: string;
  hint?: string;
}

type Reply = { name: string; status?: string };

/**
 * A connection of `pg`'s `Client` to the embedded database: what the client sends travels to the thread as messages,
 * one for each query, and the answer comes back in PostgreSQL's own form. Has the methods, fields and events of
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

  private link?: ThreadLink;
  private collected: Message[] = [];
  private unanswered = 0;
  private lost = false;
  private readonly answers = new EventEmitter();

  constructor(
    /** Resolves when the database runs; from then on answers arrive. */
    private readonly open: (connection: ClientConnection) => Promise<ThreadLink>,
    /** The number by which the thread knows this connection. */
    readonly id: number,
  ) {
    super();
    void parse(this.answers as NodeJS.ReadableStream, (reply: Reply) => this.pass(reply));
  }

  connect(): void {
    this._connecting = true;
    this.open(this).then(
      (link) => {
        if (this.lost) return link.leave();
        this.link = link;
        this.emit('connect');
      },
      (error: Error) => this.lose(error),
    );
  }

  /** There is nobody to convince: the client may begin. */
  startup(): void {
    this.emit('backendKeyData', { processID: this.id, secretKey: 0 });
    this.emit('readyForQuery', { status: 'I' });
  }

  query(text: string): void {
    this.send(['query', text]);
  }

  parse(statement: { name?: string; text: string; types?: number[] }): void {
    const { name, text, types } = statement;
    this.collected.push(['parse', { name, text, types }]);
  }

  /** @throws what the mapping of a value throws */
  bind(config: BindConfig): void {
    const { portal, statement, binary, values, valueMapper } = config;
    const mapped = values?.map((value, index) => ownBytes(valueMapper(value, index)));
    this.collected.push(['bind', { portal, statement, binary, values: mapped }]);
  }

  describe(what: { type: 'S' | 'P'; name?: string }): void {
    this.collected.push(['describe', what]);
  }

  close(what: { type: 'S' | 'P'; name?: string }): void {
    this.collected.push(['close', what]);
  }

  execute({ portal, rows }: { portal?: string; rows?: number }): void {
    this.collected.push(['execute', { portal, rows }]);
  }

  flush(): void {
    this.hand(['flush']);
  }

  sync(): void {
    this.send(['sync']);
  }

  cancel(client: number): void {
    this.link?.cancel(client);
    this.end();
  }

  /** The thread never asks for COPY data: it has refused by itself. */
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
  terminated({ code, message, hint }: Ended): void {
    if (this.lost) return;
    this.pass(databaseError('FATAL', code, message, hint));
    this.lose();
  }

  /** Nothing is sent or received from here on. */
  lose(error?: Error): void {
    if (this.lost) return;
    this.lost = true;
    this.link?.leave();
    process.nextTick(() => {
      if (error && !this._ending) this.emit('error', error);
      this.emit('end');
    });
  }

  private send(last: Message): void {
    this.unanswered += 1;
    this.hand(last);
  }

  private hand(last: Message): void {
    const messages = [...this.collected, last];
    this.collected = [];
    if (!this.lost) this.link?.run(messages);
  }

  private pass(reply: Reply): void {
    if (this.lost) return;
    this.emit(reply.name === 'error' ? 'errorMessage' : reply.name, reply);
    if (reply.name !== 'readyForQuery') return;
    this.unanswered -= 1;
    if (this._ending) this.end();
  }
}

interface BindConfig {
  portal?: string;
  statement?: string;
  binary?: boolean;
  values?: unknown[];
  valueMapper: (value: unknown, index: number) => string | Uint8Array | null;
}

/** A small Buffer is a view of a larger one, all of which would travel to the thread. */
function ownBytes(value: string | Uint8Array | null): string | Uint8Array | null {
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

function databaseError(severity: string, code: string, message: string, hint?: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { severity, code, hint });
}
