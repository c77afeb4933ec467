import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import { InvalidInputError } from '../common/errors/service-error';
import {
  IGNORED_FIELDS_HEADER,
  IGNORED_PARAMETERS_HEADER,
  nameIgnored,
  nameRead,
} from '../http/request-content';
import { type FieldFault, type Text, text } from '../texts/text';
import type { FieldCheck } from './fields';
import { ignoredFields, RequestClasses, requestInstance, withBrackets } from './request-instance';

/** A request class that has one text for all of its faults, instead of one per field (registration, login). */
export interface WordsItsFaults {
  /** Returns the exact text for the input, or undefined if the general format applies. */
  faultText(sent: Record<string, unknown>): Text | undefined;
}

/** Headers that list ignored names, by type of parameter. */
const IGNORED_HEADERS: Partial<Record<ArgumentMetadata['type'], string>> = {
  body: IGNORED_FIELDS_HEADER,
  query: IGNORED_PARAMETERS_HEADER,
};

/**
 * Validates bodies and query parameters against their class. Unknown fields are dropped, never refused, and listed
 * in a header of the answer.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor(private readonly classes: RequestClasses) {
    super({ transform: true });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Values of custom parameter decorators need no validation.
    if (metadata.type === 'custom') return value;
    const header = IGNORED_HEADERS[metadata.type];
    if (header && metadata.data !== undefined) nameRead(header, metadata.data);
    // Nest itself converts parameters without a class: numbers and flags in paths and queries.
    if (!this.toValidate(metadata)) return super.transform(value, metadata) as Promise<unknown>;
    const type = this.classes.of(metadata.metatype as Type<object> & Partial<WordsItsFaults>);
    const sent = value === undefined ? {} : value;
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      throw new InvalidInputError(text('body.not-an-object'));
    }
    const given = metadata.type === 'query' ? withBrackets(type, sent) : sent;
    if (header && metadata.data === undefined) nameIgnored(header, ignoredFields(type, given));
    const faultText = type.faultText?.(given as Record<string, unknown>);
    if (faultText !== undefined) throw new InvalidInputError(faultText);
    const input = requestInstance(type, given);
    const faults = fieldFaults(
      await validate(input, { whitelist: true, stopAtFirstError: true, forbidUnknownValues: false }),
    );
    if (faults.length > 0) throw InvalidInputError.of(faults);
    return input;
  }
}

/** class-validator's own message about a nested value that is not an object. The check of our field has another. */
const NESTED = 'nestedValidation';

/** Returns class-validator's tree of errors as a flat list, in reading order, with one message per field. */
export function fieldFaults(errors: readonly ValidationError[], parent = ''): FieldFault[] {
  return errors.flatMap(({ property, value, constraints = {}, contexts, children = [] }) => {
    const field = parent ? `${parent}.${property}` : property;
    const [first] = Object.entries(constraints).filter(([name]) => name !== NESTED);
    if (!first) return fieldFaults(children, field);
    // Messages of class-validator are strings; the message of our own check can be translated.
    const { fault } = (contexts?.[first[0]] ?? {}) as Partial<FieldCheck>;
    return [{ field, message: fault?.(value) ?? first[1] }];
  });
}
