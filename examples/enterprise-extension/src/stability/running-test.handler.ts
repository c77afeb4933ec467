import { Injectable } from '@nestjs/common';
import {
  ConflictError,
  DatabaseService,
  type DomainEvent,
  type EventHandler,
  ownText,
  type Statement,
} from 'formula-development-service';

const RUNNING: Statement = {
  name: 'ext-stability.running',
  text: `SELECT FROM ext_stability_tests WHERE formula_id = $1 AND state IN ('running', 'overdue') LIMIT 1`,
};

// #region veto
/** Vetoes a new version of a formula whose stability is being tested. */
@Injectable()
export class RunningTestHandler implements EventHandler<'formula.revised'> {
  readonly name = 'running-test';
  readonly events = ['formula.revised'] as const;

  constructor(private readonly database: DatabaseService) {}

  /** What it throws is the answer, and nothing is written. */
  async inTransaction({ recordId }: DomainEvent<'formula.revised'>): Promise<void> {
    const [running] = await this.database.query(RUNNING, [recordId]);
    if (running)
      throw new ConflictError(ownText('stability.running', 'A stability test of this formula is running'));
  }
}
// #endregion
