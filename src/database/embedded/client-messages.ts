import { serialize } from 'pg-protocol';

interface Statement {
  name?: string;
  text: string;
  types?: number[];
}

interface Named {
  type: 'S' | 'P';
  name?: string;
}

export type BindConfig = NonNullable<Parameters<typeof serialize.bind>[0]>;
export type ExecuteConfig = Parameters<typeof serialize.execute>[0];

const READS_CLIENT_DATA = /\bstdin\b/i;
const REFUSED = /(?:^|;)\s*(listen|unlisten|discard|deallocate\s+all)\b/i;
const DROPS_STATEMENTS = /^\s*(?:deallocate|discard)\s+all\s*;?\s*$/i;

/** Answers a COPY FROM STDIN, whose data PGlite cannot wait for. Elsewhere the database ignores it. */
const NO_COPY_DATA = serialize.copyFail('the embedded database does not take COPY FROM STDIN');

/** Run in place of a statement that would do for all clients what one of them asks. */
const refusal = (what: string) => `DO $$ BEGIN RAISE feature_not_supported
  USING MESSAGE = 'the embedded database does not support ${what}'; END $$`;

/**
 * What one client sends, as the shared session must see it: its prepared statements have names that no other
 * client's have, and what cannot be done for one client alone is refused, by the database itself so that a
 * transaction fails.
 */
export class ClientMessages {
  private parts: Buffer[] = [];
  private readsClientData = false;
  private readonly statements = new Map<string, { inner: string; text: string }>();
  private statementCounter = 0;

  /** @param client its number, known before it sends anything */
  constructor(public client = 0) {}

  /** The names that this client's statements have in the session. */
  statementNames(): string[] {
    return [...this.statements.values()].map(({ inner }) => inner);
  }

  query(text: string): void {
    if (DROPS_STATEMENTS.test(text)) {
      for (const name of this.statementNames()) this.parts.push(serialize.close({ type: 'S', name }));
      this.statements.clear();
      this.parts.push(serialize.query('DISCARD PLANS'));
      return;
    }
    this.parts.push(serialize.query(this.allowed(text)));
  }

  parse({ name = '', text, types }: Statement): void {
    const inner = name && (this.statements.get(name)?.inner ?? `s${this.client}_${++this.statementCounter}`);
    if (name) {
      this.statements.set(name, { inner, text });
      // After an error nobody knows whether it was made; closing what is not there is no error.
      this.parts.push(serialize.close({ type: 'S', name: inner }));
    }
    this.parts.push(serialize.parse({ name: inner, text: this.allowed(text), types }));
  }

  /** @throws what the mapping of a value throws */
  bind(config: BindConfig): void {
    const { statement = '' } = config;
    this.readsClientData ||= READS_CLIENT_DATA.test(this.statements.get(statement)?.text ?? '');
    this.parts.push(serialize.bind({ ...config, statement: this.inner(statement) }));
  }

  describe({ type, name = '' }: Named): void {
    this.parts.push(serialize.describe({ type, name: type === 'S' ? this.inner(name) : name }));
  }

  close({ type, name = '' }: Named): void {
    this.parts.push(serialize.close({ type, name: type === 'S' ? this.inner(name) : name }));
  }

  execute(config: ExecuteConfig): void {
    this.parts.push(serialize.execute(config));
  }

  flush(): void {
    this.parts.push(serialize.flush());
  }

  sync(): void {
    this.parts.push(serialize.sync());
  }

  /** All since the last call, in a buffer of its own. The last message is a query, a flush or a sync. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.readsClientData) this.parts.splice(this.parts.length > 1 ? -1 : 1, 0, NO_COPY_DATA);
    const bytes = new Uint8Array(Buffer.concat(this.parts));
    this.parts = [];
    this.readsClientData = false;
    return bytes;
  }

  private allowed(text: string): string {
    if (REFUSED.test(text)) {
      const outsideOfLiterals = text.replace(/'[^']*'/g, "''");
      const [, what] = REFUSED.exec(outsideOfLiterals) ?? [];
      if (what) return refusal(what.toUpperCase());
    }
    this.readsClientData ||= READS_CLIENT_DATA.test(text);
    return text;
  }

  /** The name in the session; for one that the client has not made, a name that no statement has. */
  private inner(name: string): string {
    return name && (this.statements.get(name)?.inner ?? `c${this.client}:${name}`);
  }
}
