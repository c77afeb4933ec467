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

/** Statements that affect all clients of the shared session, or wait for data that PGlite cannot receive. */
const UNSUPPORTED = /(?:^|;)\s*(listen|unlisten|discard|deallocate\s+all)\b|\b(copy\b[^;]*\bfrom\s+stdin)\b/i;

/** Returns the text, or a statement that fails in the database, so that the transaction fails too. */
function supported(text: string): string {
  if (!UNSUPPORTED.test(text)) return text;
  const [, command, copy] = UNSUPPORTED.exec(text.replace(/'[^']*'/g, "''")) ?? [];
  if (!command && !copy) return text;
  const what = copy ? 'COPY FROM STDIN' : command!.toUpperCase();
  return `DO $$ BEGIN RAISE feature_not_supported USING MESSAGE = 'the embedded database does not support ${what}'; END $$`;
}

/** The link of a connection to the database's thread. */
export interface ThreadLink {
  /** The number of this connection in the thread. */
  readonly client: number;
  /** Sends messages that belong together; `partial` if more of them follow before other clients may send. */
  run(bytes: Uint8Array<ArrayBuffer>, partial: boolean): void;
  /** Rolls back an open transaction and drops the prepared statements. No more answers are sent. */
  leave(statements: string[]): void;
}

interface Reply {
  name: string;
  status?: string;
}

/**
 * A connection between `pg`'s `Client` and the embedded database. All messages of one query are sent to the thread
 * as one, and the answer arrives in PostgreSQL's protocol. It has the methods, fields and events of `pg`'s own
 * `Connection` that `Client` and `Query` use. All clients share one session, so prepared statements are renamed for
 * each client.
 */
export class ClientConnection extends EventEmitter {
  /** Texts of prepared statements by name; `pg` reads and writes them. */
  readonly parsedStatements: Record<string, string> = {};
  readonly submittedNamedStatements: Record<string, string> = {};
  _connecting = false;
  _ending = false;
  /** Cuts the connection, as a network failure would. */
  readonly stream = { destroy: (error?: Error) => this.lose(error) };

  private link?: ThreadLink;
  private messages: Buffer[] = [];
  /** Names of this client's prepared statements in the session. */
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

  /** The embedded database needs no authentication. */
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
      // After an error it is unknown if the statement exists. Closing a missing one is not an error.
      this.messages.push(serialize.close({ type: 'S', name: inner }));
    }
    this.messages.push(serialize.parse({ name: inner, text: supported(text), types }));
  }

  /** @throws errors of converting a value */
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

  /** `pg` calls it during COPY FROM STDIN, which PGlite does not support. */
  sendCopyFail(): void {}

  ref(): void {}

  unref(): void {}

  /** Messages that were sent are still answered. */
  end(): void {
    this._ending = true;
    if (this.unanswered === 0) this.lose();
  }

  /** Receives a part of an answer. */
  receive(bytes: Uint8Array): void {
    this.answers.emit('data', Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** The database has ended the connection for this reason. */
  terminated(code: string, message: string, hint?: string): void {
    const error = new DatabaseError(message, message.length, 'error');
    this.pass(Object.assign(error, { severity: 'FATAL', code, hint }));
    this.lose();
  }

  /** Ends the connection: nothing is sent or received any more. */
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

  /** Returns the name in the session; for a statement that this client has not prepared, a name that does not exist. */
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
 * Returns `pg` with connections to the embedded database. Clients, pools, results and errors are `pg`'s own; only
 * the socket is replaced. Use it as TypeORM's `driver` option, or instead of `import ... from 'pg'`.
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
