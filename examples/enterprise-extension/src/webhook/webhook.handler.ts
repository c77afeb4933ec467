import { Injectable } from '@nestjs/common';
import { type DomainEvent, Environment, type EventHandler } from 'formula-development-service';
import { z } from 'zod';

export const webhookSettings = z.object({ HOOK_URL: z.url().optional() });

type Notified = 'formula.created' | 'formula.revised';

// #region handler
/** Tells another system of new formulas and versions, where HOOK_URL is set. */
@Injectable()
export class WebhookHandler implements EventHandler<Notified> {
  readonly name = 'webhook'; // unique and lasting: deliveries are stored under it
  readonly events = ['formula.created', 'formula.revised'] as const;

  constructor(private readonly environment: Environment) {}

  /** After the commit, at least once, in order for each formula; what it throws is tried again. */
  async afterCommit(event: DomainEvent<Notified>, signal: AbortSignal): Promise<void> {
    const { HOOK_URL } = this.environment.extra(webhookSettings);
    if (!HOOK_URL) return;
    const answer = await fetch(HOOK_URL, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': event.id }, // the same at each delivery
      body: JSON.stringify(event),
      signal,
    });
    if (!answer.ok) throw new Error(`HOOK_URL answered ${answer.status}`);
  }
}
// #endregion
