import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { FieldCheck } from './field';

/** The fields that a request class declares, each with its check where a decorator of ours declares it. */
const declared = new WeakMap<Type<object>, ReadonlyMap<string, FieldCheck | undefined>>();

/**
 * The instance of a request class that a client's object stands for: of its fields those that the class
 * declares, and of what they hold only what has a class. class-transformer, whose time grows with the square
 * of an object's keys, sees nothing else; free-form JSON and what is no value of its field is handed on as it
 * is, without a look into it, for the checks to judge.
 */
export function requestInstance(type: Type<object>, given: object): object {
  const plain: Record<string, unknown> = {};
  const structured: Record<string, unknown> = {};
  for (const [name, check] of declaredFields(type)) {
    if (!Object.hasOwn(given, name)) continue;
    const value = (given as Record<string, unknown>)[name];
    if (check && typeof value === 'object' && value !== null) structured[name] = instances(value, check);
    else plain[name] = value;
  }
  return Object.assign(plainToInstance(type, plain), structured);
}

function instances(value: object, { fault, nested }: FieldCheck): object {
  if (!nested || fault(value) !== undefined) return value;
  const type = nested();
  return Array.isArray(value)
    ? value.map((item: object) => requestInstance(type, item))
    : requestInstance(type, value);
}

function declaredFields(type: Type<object>): ReadonlyMap<string, FieldCheck | undefined> {
  const known = declared.get(type);
  if (known) return known;
  const fields = new Map<string, FieldCheck | undefined>();
  for (const { propertyName, constraints } of getMetadataStorage().getTargetValidationMetadatas(
    type,
    '',
    false,
    false,
  )) {
    const [check] = (constraints ?? []) as unknown[];
    if (check instanceof FieldCheck) fields.set(propertyName, check);
    else if (!fields.has(propertyName)) fields.set(propertyName, undefined);
  }
  declared.set(type, fields);
  return fields;
}
