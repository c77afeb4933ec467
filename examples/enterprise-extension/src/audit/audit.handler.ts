import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type DomainEvent,
  type EventHandler,
  type Statement,
} from 'formula-development-service';

const WRITE: Statement = {
  name: 'ext-audit.write',
  text: 'INSERT INTO ext_audit_lines (id, type, record_id, user_id, occurred_at) VALUES ($1, $2, $3, $4, $5)',
};

const AUDITED = [
  'formula.created',
  'formula.revised',
  'formula.updated',
  'formula.deleted',
  'user.updated',
] as const;
type Audited = (typeof AUDITED)[number];

// #region handler
/** Who did what to which formula or account: a line of its own table for each event. */
@Injectable()
export class AuditHandler implements EventHandler<Audited> {
  readonly name = 'audit'; // unique and lasting
  readonly events = AUDITED;

  constructor(private readonly database: DatabaseService) {}

  /** In the transaction of the write: there is a line where it is committed, and none where it is not. */
  async inTransaction({ id, type, recordId, userId, occurredAt }: DomainEvent<Audited>): Promise<void> {
    await this.database.query(WRITE, [id, type, recordId, userId, occurredAt]);
  }
}
// #endregion
