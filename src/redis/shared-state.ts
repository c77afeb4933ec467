import { ErrorReply } from '@redis/client';
import type { Clock } from '../common/clock';
import { StoreFault, WatchedStore } from '../common/watched-store';
import { RedisAnswers } from './redis-answers';
import { reasonOf, RedisConnection } from './redis-connection';
import { RedisCounts, RedisFailedLogins } from './redis-counts';
import { RedisKeys } from './redis-keys';
import { RedisRate } from './redis-rate';

/** How long one question may take, in milliseconds, unless it says otherwise. */
const PATIENCE_MS = 250;

/** What all instances with the same REDIS_URL and secret keep together. */
export class SharedState {
  /** One for all that is kept there: what is found out by one is true for the others, and is told once. */
  readonly watched: WatchedStore;
  readonly requests: RedisCounts;
  readonly logins: RedisFailedLogins;
  readonly answers: RedisAnswers;
  readonly aiRate: RedisRate;
  private readonly connection: RedisConnection;

  constructor(url: string, secret: string, clock: Clock) {
    this.connection = new RedisConnection(url, () => this.watched.tryAgain());
    this.watched = new WatchedStore(
      'Redis',
      'each instance keeps its own limits, and AI providers are asked anew',
      PATIENCE_MS,
      clock,
      () => {
        const { fault } = this.connection;
        if (fault !== undefined) throw new StoreFault(`no connection: ${fault}`);
      },
      (error) => this.saidBy(error),
    );
    const keys = new RedisKeys(secret);
    const { client } = this.connection;
    this.requests = new RedisCounts(client, keys);
    this.logins = new RedisFailedLogins(client, keys);
    this.answers = new RedisAnswers(client, keys);
    this.aiRate = new RedisRate(client, keys);
  }

  /** For who measures. It works where there is a connection and it has answered since it failed. */
  get figures(): { readonly works: boolean; readonly failed: number } {
    const { isFailing, failed } = this.watched.figures;
    return { works: !isFailing && this.connection.fault === undefined, failed };
  }

  /** What Redis says; a replica that has been the primary is left, for the name may lead elsewhere by now. */
  private saidBy(error: unknown): string | undefined {
    if (!(error instanceof ErrorReply)) return undefined;
    const reason = reasonOf(error);
    if (reason === 'READONLY') this.connection.renew();
    return reason;
  }

  open(): Promise<void> {
    return this.connection.open();
  }

  close(): void {
    this.connection.close();
  }
}
