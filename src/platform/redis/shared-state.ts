import { ErrorReply } from '@redis/client';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Clock } from '../common/clock';
import { CircuitBreaker } from './circuit-breaker';
import { RedisAnswers } from './redis-answers';
import { reasonOf, RedisConnection } from './redis-connection';
import { RedisKeys } from './redis-keys';
import { RedisRate } from './redis-rate';

/** The state that all instances with the same REDIS_URL and secret share. */
export class SharedState {
  /** One circuit breaker for all parts, because they share the connection. */
  readonly circuit: CircuitBreaker;
  readonly keys: RedisKeys;
  readonly counter: RateLimiterRedis;
  readonly answers: RedisAnswers;
  readonly aiRate: RedisRate;
  private readonly connection: RedisConnection;

  constructor(url: string, secret: string, clock: Clock) {
    this.connection = new RedisConnection(url, () => this.circuit.close());
    this.circuit = new CircuitBreaker(250, clock, (error) => this.describe(error));
    const keys = new RedisKeys(secret);
    this.keys = keys;
    const { client } = this.connection;
    this.counter = new RateLimiterRedis({
      storeClient: client,
      useRedisPackage: true,
      keyPrefix: '',
      points: Number.MAX_SAFE_INTEGER,
      duration: 60,
    });
    this.answers = new RedisAnswers(client, keys);
    this.aiRate = new RedisRate(client, keys);
  }

  /** Figures for metrics. `works` is true if there is a connection that has answered since its last failure. */
  get figures(): { readonly works: boolean; readonly failed: number } {
    const { isFailing, failed } = this.circuit.figures;
    return { works: !isFailing && this.connection.fault === undefined, failed };
  }

  /** Reconnects if the server has become a replica, because the host name may lead to the new primary. */
  private describe(error: unknown): string | undefined {
    const { fault } = this.connection;
    if (fault !== undefined) return `no connection: ${fault}`;
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
