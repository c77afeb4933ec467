import { POSTGRES_PROGRAMS, PostgresServer } from './postgres-server';

export { POSTGRES_PROGRAMS };

export interface ReplicatedPostgres {
  /** One address of both servers, the primary first. */
  readonly url: string;
  /** The addresses of each. */
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Ends the primary without a word. */
  killPrimary(): Promise<void>;
  /** Ends the standby without a word. */
  killStandby(): Promise<void>;
  startStandby(): Promise<void>;
  /** The standby takes connections and says nothing any more. */
  freezeStandby(): void;
  thawStandby(): void;
  /** Makes the standby the one that takes writes. */
  promoteStandby(): Promise<void>;
  /** Starts the first server again, as a standby of the second. */
  startFormerPrimary(): Promise<void>;
  /** Starts one more standby of the primary, which ends with the others. */
  addStandby(): Promise<PostgresServer>;
  close(): Promise<void>;
}

/** A primary and its streaming standby, of their own, trusting whoever comes; not durable. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const first = await PostgresServer.create();
  const second = await first.createStandby().catch(async (error: unknown) => {
    await first.close();
    throw error;
  });
  const more: PostgresServer[] = [];
  const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`;
  return {
    url: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
    primaryUrl: first.url(),
    standbyUrl: second.url(),
    killPrimary: () => first.kill(),
    killStandby: () => second.kill(),
    startStandby: () => second.start(),
    freezeStandby: () => void second.signal('SIGSTOP'),
    thawStandby: () => void second.signal('SIGCONT'),
    promoteStandby: () => second.promote(),
    startFormerPrimary: () => first.follow(second),
    addStandby: async () => {
      const standby = await first.createStandby();
      more.push(standby);
      return standby;
    },
    close: async () => {
      for (const standby of more) await standby.close();
      await second.close();
      await first.close();
    },
  };
}
