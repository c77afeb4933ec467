import type { CurrentUser } from '../common/current-user';
import type { FieldFault } from '../common/errors/service-error';
import type { DomainEventType } from './domain-event';

/** Token under which any module provides a `WriteValidator`, or a list of them. */
export const WRITE_VALIDATOR = Symbol('WRITE_VALIDATOR');

/** A write that is asked for, named as the event that it would be. */
export interface AskedWrite<Input extends object = object> {
  readonly type: DomainEventType;
  /** Of the record that is to be changed; undefined for a new one. */
  readonly recordId?: string;
  /** The request's body as validated: the class of the route, such as `CreateFormulaDto`. */
  readonly input: Readonly<Input>;
  /** Undefined for commands. */
  readonly user?: CurrentUser;
}

/** Adds rules to those of the contract. */
export interface WriteValidator<Input extends object = object> {
  readonly writes: readonly DomainEventType[];
  /**
   * What is wrong with it; an empty list lets it pass. Asked after our own rules and before anything is
   * written; the request waits for it. Faults are told as ours are: 400, `<field>: <message>`.
   */
  faults(write: AskedWrite<Input>): readonly FieldFault[] | Promise<readonly FieldFault[]>;
}
