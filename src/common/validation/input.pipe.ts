import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import { validate, validateSync, type ValidationError } from 'class-validator';
import { InvalidInputError } from '../errors/service-error';
import {
  IGNORED_FIELDS_HEADER,
  IGNORED_PARAMETERS_HEADER,
  nameIgnored,
  nameRead,
} from '../http/ignored-names';
import { type Text, text } from '../texts/text';
import { ignoredFields } from './ignored-fields';
import { hasOwnChecksOnly } from './own-checks';
import { RequestClasses } from './request-classes';
import { requestInstance } from './request-instance';
import { withBrackets } from './query-brackets';
import { fieldFaults } from './validation-faults';

/** A request class whose faults are worded as a whole rather than field by field (registration, login). */
export interface WordsItsFaults {
  /** The exact text for what was sent, or nothing when the general format applies. */
  faultText(sent: Record<string, unknown>): Text | undefined;
}

/** One message per field; faults do not hold on to what they are about. */
const CHECKS = {
  whitelist: true,
  stopAtFirstError: true,
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};

/** Headers that name what was ignored, by where it was sent. */
const IGNORED_HEADERS: Partial<Record<ArgumentMetadata['type'], string>> = {
  body: IGNORED_FIELDS_HEADER,
  query: IGNORED_PARAMETERS_HEADER,
};

/**
 * Validates bodies and query parameters against their class. Unknown fields are dropped, never an error, and
 * the answer's headers name them.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor(private readonly classes: RequestClasses) {
    super({ transform: true });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Nest awaits what a pipe gives: what is ready, as what a parameter decorator has made, is no promise.
    if (metadata.type === 'custom') return value as never;
    const header = IGNORED_HEADERS[metadata.type];
    if (header && metadata.data !== undefined) nameRead(header, metadata.data);
    // Nest reads parameters without a class: numbers and flags of paths and queries.
    if (!this.toValidate(metadata)) return super.transform(value, metadata);
    const type = this.classes.of(metadata.metatype as Type<object> & Partial<WordsItsFaults>);
    return this.input(value, type, metadata) as Promise<object>;
  }

  private input(
    value: unknown,
    type: Type<object> & Partial<WordsItsFaults>,
    { type: sentIn, data: name }: ArgumentMetadata,
  ): object | Promise<object> {
    const sent = value === undefined ? {} : value;
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      throw new InvalidInputError(text('body.not-an-object'));
    }
    const given = sentIn === 'query' ? withBrackets(type, sent) : sent;
    const header = IGNORED_HEADERS[sentIn];
    if (header && name === undefined) nameIgnored(header, ignoredFields(type, given));
    const told = type.faultText?.(given as Record<string, unknown>);
    if (told !== undefined) throw new InvalidInputError(told);
    const input = requestInstance(type, given);
    const unlessFaulty = (errors: ValidationError[]) => {
      const faults = fieldFaults(errors);
      if (faults.length > 0) throw InvalidInputError.of(faults);
      return input;
    };
    // Checks of others may take their time.
    return hasOwnChecksOnly(type)
      ? unlessFaulty(validateSync(input, CHECKS))
      : validate(input, CHECKS).then(unlessFaulty);
  }
}
