import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../auth/password-hasher';
import { Metrics } from '../observability/metrics';
import type { HeavyKind } from '../shares/heavy-turn';
import { HeavyWork } from '../shares/heavy-work';
import { ClientPlacesGuard } from './client-places.guard';

const HEAVY_KINDS: readonly HeavyKind[] = ['search', 'catalogue', 'reading', 'composition', 'ai'];

/** Who waits and what runs, by queue. */
@Injectable()
export class QueueMetrics {
  constructor(metrics: Metrics, work: HeavyWork, clients: ClientPlacesGuard, hasher: PasswordHasher) {
    metrics.register(({ Gauge }, registers) => {
      new Gauge({
        name: 'formula_queue_length',
        help: 'Waiting requests',
        labelNames: ['queue'],
        registers,
        collect() {
          this.set({ queue: 'client requests' }, clients.waiting.requests);
          this.set({ queue: 'client streams' }, clients.waiting.streams);
          this.set({ queue: 'password hashes' }, hasher.load.waiting);
          for (const kind of HEAVY_KINDS)
            this.set({ queue: `heavy ${kind}` }, work.turnsOf(kind).load.waiting);
        },
      });
      new Gauge({
        name: 'formula_turns_running',
        help: 'Work in progress, of the kinds whose number is limited',
        labelNames: ['queue'],
        registers,
        collect() {
          this.set({ queue: 'password hashes' }, hasher.load.running);
          for (const kind of HEAVY_KINDS)
            this.set({ queue: `heavy ${kind}` }, work.turnsOf(kind).load.running);
        },
      });
    });
  }
}
