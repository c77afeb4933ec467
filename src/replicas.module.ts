import { Injectable, Logger, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from './common/clock';
import { StoreFault } from './common/circuit-breaker';
import { Database } from './database/database';
import { lookAt, lookAtPrimary, nameOfServer } from './database/replicas/server-looks';
import { ReplicaReads, type SharedPositions } from './database/replicas/replica-reads';
import { SETTLED_MS } from './database/replicas/replica-selector';
import { Environment } from './environment/environment';
import { Redis } from './redis/redis.module';
import type { SharedState } from './redis/shared-state';

/** Positions in Redis. A new connection may be to one that has been started again and has lost some. */
function positionsIn({ circuit, positions }: SharedState): SharedPositions {
  const asText = (found: unknown): string | null => {
    if (found !== null && typeof found !== 'string') throw new StoreFault('A position that is none');
    return found;
  };
  return {
    keep: (user, position) =>
      circuit.execute(
        () => positions.keep(user, position),
        () => true,
        () => false,
      ),
    find: async (user) => {
      const found = await circuit.execute<string | null | undefined>(
        () => positions.find(user),
        asText,
        () => undefined,
      );
      return positions.connectedFor < SETTLED_MS ? undefined : found;
    },
  };
}

/** Lets reads that may lag go to `DATABASE_REPLICA_URLS`; without it there is nothing of it. */
@Injectable()
class Replicas implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Database');
  private reads: ReplicaReads | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly redis: Redis,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const { database, databaseReplicas } = this.environment;
    const places = this.database.replicaPlaces;
    const { state } = this.redis;
    // A command has no pools for them.
    if (places.length === 0 || database.kind !== 'server' || !state) return;
    const servers = places.map((place, index) => {
      const url = databaseReplicas[index]!;
      return { ...place, name: nameOfServer(url), look: lookAt(url) };
    });
    const tell = (name: string, reason: string | undefined) => {
      if (reason === undefined) this.logger.log(`The replica ${name} is read`);
      else this.logger.warn(`The replica ${name} is not read: ${reason}`);
    };
    this.reads = new ReplicaReads(servers, lookAtPrimary(database.url), positionsIn(state), this.clock, tell);
    this.database.readFrom(this.reads);
    this.reads.open();
  }

  onModuleDestroy(): void {
    this.reads?.close();
  }
}

@Module({ providers: [Replicas] })
export class ReplicasModule {}
