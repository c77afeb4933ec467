import { setTimeout as pause } from 'node:timers/promises';
import * as pg from 'pg';
import { within } from '../common/within';
import { databaseAddresses } from '../environment/database-address';

/** How long a server may take to say whether it takes writes, in milliseconds. */
const ANSWER_MS = 3000;

/** Head start of the server that was found before, in milliseconds: one that comes back is not preferred. */
const HEAD_START_MS = 1000;

/** How long that is believed, in milliseconds: connections that are made together ask once. */
const BELIEVED_MS = 1000;

/** A standby is asked so often again, in milliseconds, as long as another server has not answered. */
const ASK_AGAIN_MS = 250;

/** A standby, or a server that has been told to take no writes. */
const READ_ONLY = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS is_read_only`;

/** A silent server is asked so often on another connection, in milliseconds: the first may stay silent. */
const ASK_BESIDE_MS = 500;

/** One server of an address. */
export interface ServerHost {
  readonly host: string;
  readonly port: number;
}

/** None of the servers takes writes: of those that answer all are standbys. */
class NoWritableServerError extends Error {
  readonly code = '57P03';

  constructor() {
    super('None of the servers of DATABASE_URL takes writes');
  }
}

/** One round of asking all servers. */
interface Search {
  isOver: boolean;
  /** Resolves with `true` when each has answered, or failed to. */
  answered?: Promise<boolean>;
}

type IsReadOnly = (address: string) => Promise<boolean>;

/** Asks on a connection of its own, which ends with the answer. */
async function isReadOnly(address: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    application_name: 'formula-primary-search',
  });
  // A connection that breaks while it waits for its end.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ is_read_only: boolean }>(READ_ONLY);
    return rows[0]!.is_read_only;
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Which of several servers takes writes now. After a failover it is another one: it is asked for each new
 * connection, and a server that was found before stays the one for as long as it takes writes.
 */
export class ServerHosts {
  private before: string | undefined;
  private believedUntil = 0;
  private search: Promise<string> | undefined;

  constructor(
    private readonly addresses: readonly string[],
    private readonly tell: (message: string) => void,
    private readonly now = () => performance.now(),
    private readonly ask: IsReadOnly = isReadOnly,
  ) {}

  /** @throws the first server's error, or one that says that all are standbys */
  async writable(): Promise<ServerHost> {
    if (this.before !== undefined && this.now() < this.believedUntil) return hostOf(this.before);
    this.search ??= this.find().finally(() => (this.search = undefined));
    return hostOf(await this.search);
  }

  /** A connection has ended, or a write was refused: whoever is connected next looks anew. */
  forget(): void {
    this.believedUntil = 0;
  }

  private async find(): Promise<string> {
    const search: Search = { isOver: false };
    const first = this.addresses.map((address) => this.askInsistently(address, search));
    search.answered = Promise.allSettled(first).then(() => true);
    try {
      return await this.choose(
        new Map(
          this.addresses.map((address, at) => [address, this.whenWritable(address, first[at]!, search)]),
        ),
      );
    } finally {
      search.isOver = true;
    }
  }

  private async choose(asked: ReadonlyMap<string, Promise<string>>): Promise<string> {
    const any = Promise.any(asked.values()).catch(firstOf);
    const { before } = this;
    // While it is given its head start, nobody waits for the others' failure.
    any.catch(() => undefined);
    const stays =
      before &&
      (await within(
        HEAD_START_MS,
        () => undefined,
        () => asked.get(before)!,
      ).catch(() => undefined));
    const address = stays ?? (await any);
    if (before !== undefined && address !== before) this.tell(`The database is now at ${nameOf(address)}`);
    this.before = address;
    this.believedUntil = this.now() + BELIEVED_MS;
    return address;
  }

  /** Fails with the first question; the others are only for a server that comes back. */
  private async askInsistently(address: string, search: Search): Promise<boolean> {
    let beside: NodeJS.Timeout | undefined;
    const others = new Promise<boolean>((resolve) => {
      beside = setInterval(() => {
        if (search.isOver) clearInterval(beside);
        else void this.ask(address).then(resolve, () => undefined);
      }, ASK_BESIDE_MS).unref();
    });
    try {
      return await Promise.race([this.ask(address), others]);
    } finally {
      clearInterval(beside);
    }
  }

  /** A standby may be promoted while the server of before is silent. */
  private async whenWritable(address: string, first: Promise<boolean>, search: Search): Promise<string> {
    for (let isReadOnly = await first; isReadOnly; isReadOnly = await this.ask(address)) {
      const isAnswered = await Promise.race([search.answered, pause(ASK_AGAIN_MS, false, { ref: false })]);
      if (isAnswered || search.isOver) throw new NoWritableServerError();
    }
    return address;
  }
}

/** Of a server that cannot be reached, before that of a standby. */
function firstOf({ errors }: AggregateError): never {
  throw errors.find((error) => !(error instanceof NoWritableServerError)) ?? errors[0];
}

/** As `pg` reads it where it is asked: by its parameters and the process's variables too. */
function hostOf(address: string): ServerHost {
  const { host, port } = new pg.Client(address);
  return { host, port };
}

const nameOf = (address: string): string => {
  const { host, port } = hostOf(address);
  return `${host}:${port}`;
};

/**
 * What connections are made with: an address, and which of its servers where it names several.
 * @param tell told when another one takes writes than before
 */
export function serversOf(
  url: string,
  tell: (message: string) => void,
): { address: string; hosts: ServerHosts | undefined } {
  const addresses = databaseAddresses(url) ?? [url];
  return {
    address: addresses[0]!,
    hosts: addresses.length > 1 ? new ServerHosts(addresses, tell) : undefined,
  };
}

/** Hosts and database name only: an address may hold a password. */
export function describeServers(url: string): string {
  const addresses = databaseAddresses(url) ?? [url];
  const names = addresses.map((address) => {
    const { hostname, port } = new URL(address);
    return `${hostname || 'local socket'}${port ? `:${port}` : ''}`;
  });
  return `${names.join(', ')}${new URL(addresses[0]!).pathname}`;
}
