import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { noteOrigin } from '../common/errors/logged-error';
import { type FieldFault, InvalidInputError } from '../common/errors/service-error';
import { ExtensionError, placedUnder } from '../common/extension-tokens';
import { currentUser } from '../common/request-context';
import { currentLanguage } from '../texts/languages';
import { render } from '../texts/text';
import { DOMAIN_EVENT_TYPES, type DomainEventType } from './domain-event';
import type { CurrentUser } from '../common/current-user';

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

/** Event types whose writes have an input. */
const VALIDATED = DOMAIN_EVENT_TYPES.filter((type) => !/^user|[.](?:deleted|restored)$/.test(type));

interface PlacedValidator {
  readonly place: string;
  readonly validator: WriteValidator;
}

/** The validators that modules provide under `WRITE_VALIDATOR`. */
@Injectable()
export class WriteValidators implements OnModuleInit {
  private readonly byType = new Map<DomainEventType, PlacedValidator[]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws ExtensionError if one is not a validator */
  onModuleInit(): void {
    for (const { place, value } of placedUnder(WRITE_VALIDATOR, this.discovery)) {
      for (const given of [value].flat()) {
        const validator = checked(given, place);
        for (const type of new Set(validator.writes)) {
          this.byType.set(type, [...(this.byType.get(type) ?? []), { place, validator }]);
        }
      }
    }
  }

  /**
   * Calls the validators, if there are any.
   * @throws InvalidInputError with all faults that they return
   */
  require(type: DomainEventType, input: object, recordId?: string): Promise<void> | undefined {
    const validators = this.byType.get(type);
    return validators && this.ask(validators, type, input, recordId);
  }

  /** Returns the faults of all validators as one text; undefined if there are none. */
  async objection(type: DomainEventType, input: object, recordId?: string): Promise<string | undefined> {
    try {
      await this.require(type, input, recordId);
      return undefined;
    } catch (error) {
      if (error instanceof InvalidInputError) return render(error.text, currentLanguage());
      throw error;
    }
  }

  private async ask(
    validators: readonly PlacedValidator[],
    type: DomainEventType,
    input: object,
    recordId?: string,
  ): Promise<void> {
    const write = { type, recordId, input, user: currentUser() };
    const faults: FieldFault[] = [];
    for (const placed of validators) faults.push(...(await faultsOf(placed, write)));
    if (faults.length > 0) throw InvalidInputError.of(faults);
  }
}

/** An error of the validator becomes the answer, and the log names the validator. */
async function faultsOf(
  { place, validator }: PlacedValidator,
  write: AskedWrite,
): Promise<readonly FieldFault[]> {
  try {
    const faults: unknown = await validator.faults(write);
    if (!Array.isArray(faults)) throw new TypeError('faults() must give a list');
    return faults as FieldFault[];
  } catch (error) {
    noteOrigin(error, `WRITE_VALIDATOR in ${place}`);
    throw error;
  }
}

function checked(given: unknown, place: string): WriteValidator {
  const { writes, faults } = (given ?? {}) as Partial<WriteValidator>;
  if (!Array.isArray(writes) || writes.length === 0 || typeof faults !== 'function') {
    throw new ExtensionError(`WRITE_VALIDATOR in ${place} must have writes, a list, and faults().`);
  }
  const unknown = (writes as DomainEventType[]).filter((type) => !VALIDATED.includes(type));
  if (unknown.length > 0) {
    throw new ExtensionError(
      `WRITE_VALIDATOR in ${place} names what has no input to validate: ${unknown.join(', ')}.`,
    );
  }
  return given as WriteValidator;
}
