import { EventEmitter } from 'node:events';
import * as pg from 'pg';
import { DatabaseError, parse, serialize } from 'pg-protocol';

interface Statement {
  name?: string;
  text: string;
  types?: number[];
}

interface Named {
  type: 'S' | 'P';
  name?: string;
}

type BindConfig = NonNullable<Parameters<typeof serialize.bind>[0]>;
type ExecuteConfig = Parameters<typeof serialize.execute>[0];

/** Statements that concern all clients of the one session, or wait for data that PGlite cannot take. */
const UNSUPPORTED = /(?:^|;)\s*(listen|unlisten|discard|deallocate\s+all)\b|\b(copy\b[^;]*\bfrom\s+stdin)\b/i;

/** The text, or one that fails in the database, so that a transaction fails with it. */
function supported(text: string): string {
  if (!UNSUPPORTED.test(text)) return text;
  const [, command, copy] = UNSUPPORTED.exec(text.replace(/'[^']*'/g, "''")) ?? [];
  if (!command && !copy) return text;
  const what = copy ? 'COPY FROM STDIN' : command!.toUpperCase();
  return `DO $$ BEGIN RAISE feature_not_supported USING MESSAGE = 'the embedded database does not support ${what}'; END $$`;
}

/** How a connection reaches the database's thread. */
export interface ThreadLink {
  /** The number by which the thread knows this connection. */
  readonly client: number;
  /** Messages that belong together; `partial` if more of them follow before others may come in between. */
  run(bytes: Uint8Array<ArrayBuffer>, partial: boolean): void;
  /** Rolls back what is open and drops the statements; nothing is answered any more. */
  leave(statements: string[]): void;
}

interface Reply {
  name: string;
  status?: string;
}

/**
 * A connection of `pg`'s `Client` to the embedded database: what belongs to one query travels to the thread
 * as one message, and the answer comes back in PostgreSQL's own form. It has the methods, fields and events of
 * `pg`'s own `Connection` that `Client` and `Query` use. All clients share one session, so each client's
 * prepared statements get names of their own.
 */
export class ClientConnection extends EventEmitter {
  /** Texts of prepared statements by name; `pg` reads and writes them. */
  readonly parsedStatements: Record<string, string> = {};
  readonly submittedNamedStatements: Record<string, string> = {};
  _connecting = false;
  _ending = false;
  /** Cuts the connection, as a lost network would. */
  readonly stream = { destroy: (error?: Error) => this.lose(error) };

  private link?: ThreadLink;
  private messages: Buffer[] = [];
  /** Names in the session of this client's prepared statements. */
  private readonly statements = new Map<string, string>();
  private unanswered = 0;
  private isLost = false;
  private readonly answers = new EventEmitter();

  /** @param open resolves when the database runs; from then on answers arrive */
  constructor(private readonly open: (connection: ClientConnection) => Promise<ThreadLink>) {
    super();
    void parse(this.answers as NodeJS.ReadableStream, (reply: Reply) => this.pass(reply));
  }

  connect(): void {
    this._connecting = true;
    this.open(this).then(
      (link) => {
        if (this.isLost) return link.leave([]);
        this.link = link;
        this.emit('connect');
      },
      (error: Error) => this.lose(error),
    );
  }

  /** There is nothing to authenticate. */
  startup(): void {
    this.emit('readyForQuery', { status: 'I' });
  }

  query(text: string): void {
    this.messages.push(serialize.query(supported(text)));
    this.send();
  }

  parse({ name = '', text, types }: Statement): void {
    const inner = name && (this.statements.get(name) ?? `s${this.link?.client}_${this.statements.size + 1}`);
    if (name) {
      this.statements.set(name, inner);
      // After an error it is unknown whether the statement exists; closing one that does not is no error.
      this.messages.push(serialize.close({ type: 'S', name: inner }));
    }
    this.messages.push(serialize.parse({ name: inner, text: supported(text), types }));
  }

  /** @throws what the mapping of a value throws */
  bind(config: BindConfig): void {
    this.messages.push(serialize.bind({ ...config, statement: this.inner(config.statement) }));
  }

  describe({ type, name = '' }: Named): void {
    this.messages.push(serialize.describe({ type, name: type === 'S' ? this.inner(name) : name }));
  }

  close({ type, name = '' }: Named): void {
    this.messages.push(serialize.close({ type, name: type === 'S' ? this.inner(name) : name }));
  }

  execute(config: ExecuteConfig): void {
    this.messages.push(serialize.execute(config));
  }

  sync(): void {
    this.messages.push(serialize.sync());
    this.send();
  }

  flush(): void {
    this.messages.push(serialize.flush());
    this.link?.run(this.take(), true);
  }

  /** `pg` answers a COPY FROM STDIN so; PGlite has none. */
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

  /** The database has ended the connection, and says why. */
  terminated(code: string, message: string, hint?: string): void {
    const error = new DatabaseError(message, message.length, 'error');
    this.pass(Object.assign(error, { severity: 'FATAL', code, hint }));
    this.lose();
  }

  /** Nothing is sent or received from here on. */
  lose(error?: Error): void {
    if (this.isLost) return;
    this.isLost = true;
    this.link?.leave([...this.statements.values()]);
    this.link = undefined;
    process.nextTick(() => {
      if (error && !this._ending) this.emit('error', error);
      this.emit('end');
    });
  }

  /** The name in the session; for a statement that the client has not made, one that does not exist. */
  private inner(name = ''): string {
    return name && (this.statements.get(name) ?? `c${this.link?.client}:${name}`);
  }

  private send(): void {
    this.unanswered += 1;
    this.link?.run(this.take(), false);
  }

  private take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Buffer.concat(this.messages));
    this.messages = [];
    return bytes;
  }

  private pass(reply: Reply): void {
    if (this.isLost) return;
    this.emit(reply.name === 'error' ? 'errorMessage' : reply.name, reply);
    if (reply.name !== 'readyForQuery') return;
    this.unanswered -= 1;
    if (this._ending) this.end();
  }
}

/**
 * `pg`, leading to the embedded database: clients, pools, results and errors are `pg`'s own, only what lies
 * below a client's queries is not a socket. For TypeORM's `driver` option, or in place of `import ... from
 * 'pg'`.
 */
export function driverFor(connection: () => ClientConnection): typeof pg {
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      const settings = typeof config === 'string' ? { connectionString: config } : config;
      super({ ...settings, ssl: false, connection: connection() } as pg.ClientConfig);
    }
  }
  class Pool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      super({ ...config, Client });
    }
  }
  return { ...pg, Client, Pool };
}
