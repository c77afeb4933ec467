import type { CurrentUser } from '../common/current-user';
import type { FieldFault } from '../common/errors/service-error';
import type { DomainEventType } from './domain-event';

/** Token under which any module provides a `WriteValidator` or a list of them. */
export const WRITE_VALIDATOR = Symbol('WRITE_VALIDATOR');

/** A requested write, named after the event that it will publish. */
export interface AskedWrite<Input extends object = object> {
  readonly type: DomainEventType;
  /** Id of the record to change; undefined for a new one. */
  readonly recordId?: string;
  /** The validated body of the request: an instance of the route's class, such as `CreateFormulaDto`. */
  readonly input: Readonly<Input>;
  /** Undefined for commands. */
  readonly user?: CurrentUser;
}

/** Adds rules to those of the contract. */
export interface WriteValidator<Input extends object = object> {
  readonly writes: readonly DomainEventType[];
  /**
   * Returns the faults of a write; an empty list accepts it. Called after the service's own rules and before
   * anything is written; the request waits for it. Faults are reported like the service's own: 400, `<field>:
   * <message>`.
   */
  faults(write: AskedWrite<Input>): readonly FieldFault[] | Promise<readonly FieldFault[]>;
}
