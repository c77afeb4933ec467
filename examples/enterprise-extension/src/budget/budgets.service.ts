import { Injectable } from '@nestjs/common';
import { Clock, DatabaseService, Environment, type Statement } from 'formula-development-service';
import { z } from 'zod';

// #region settings
export const budgetSettings = z.object({
  AI_TOKENS_PER_DAY: z.coerce.number().int().min(0).default(100_000),
});
// #endregion

const SPENT: Statement = {
  name: 'ext-budget.spent',
  text: 'SELECT tokens FROM ext_ai_spending WHERE user_id = $1 AND day = $2',
};

const SPEND: Statement = {
  name: 'ext-budget.spend',
  text: `
    INSERT INTO ext_ai_spending (user_id, day, tokens) VALUES ($1, $2, $3)
    ON CONFLICT (user_id, day) DO UPDATE SET tokens = ext_ai_spending.tokens + excluded.tokens`,
};

/** Milliseconds. */
const DAY = 86_400_000;

/** A day is one of UTC. */
@Injectable()
export class BudgetsService {
  private readonly perDay: number;

  constructor(
    private readonly database: DatabaseService,
    private readonly clock: Clock,
    environment: Environment,
  ) {
    // #region read-settings
    this.perDay = environment.extra(budgetSettings).AI_TOKENS_PER_DAY; // typed, and checked at the start
    // #endregion
  }

  /** Whether nothing is left of today's tokens. Calls that are under way do not count yet. */
  async isSpent(userId: string): Promise<boolean> {
    const [today] = await this.database.query<{ tokens: number }>(SPENT, [userId, this.today()]);
    return (today?.tokens ?? 0) >= this.perDay;
  }

  async spend(userId: string, tokens: number): Promise<void> {
    await this.database.query(SPEND, [userId, this.today(), tokens]);
  }

  /** Seconds until there are tokens again. */
  secondsLeft(): number {
    return Math.ceil((DAY - (this.clock.now() % DAY)) / 1000);
  }

  private today(): string {
    return new Date(this.clock.now()).toISOString().slice(0, 10);
  }
}
