import type { Type } from '@nestjs/common';
import { plainToInstance, TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { FieldCheck } from './field';

interface DeclaredField {
  /** Where a decorator of ours declares it. */
  readonly check?: FieldCheck;
  /** Whether class-transformer has something to do. */
  readonly isTransformed: boolean;
  /** The class of the object, or of the list's items, where the field has such, whoever declares it. */
  readonly nested?: () => Type<object>;
}

const declared = new WeakMap<Type<object>, ReadonlyMap<string, DeclaredField>>();

/**
 * The instance of a request class that a client's object stands for: of its fields those that the class
 * declares, and of what they hold only what has a class. class-transformer, whose time grows with the square
 * of an object's keys, sees only fields that have its decorators; free-form JSON and what is no value of its
 * field is handed on as it is, without a look into it, for the checks to judge.
 */
export function requestInstance(type: Type<object>, given: object): object {
  const made: Record<string, unknown> = {};
  let transformed: Record<string, unknown> | undefined;
  for (const [name, { check, isTransformed }] of declaredFields(type)) {
    if (!Object.hasOwn(given, name)) continue;
    const sent = (given as Record<string, unknown>)[name];
    const value = check?.read ? check.read(sent) : sent;
    if (check && typeof value === 'object' && value !== null) made[name] = instances(value, check);
    else if (isTransformed) (transformed ??= {})[name] = value;
    else made[name] = value;
  }
  return Object.assign(transformed ? plainToInstance(type, transformed) : new type(), made);
}

function instances(value: object, { fault, nested }: FieldCheck): object {
  if (!nested || fault(value) !== undefined) return value;
  const type = nested();
  return Array.isArray(value)
    ? value.map((item: object) => requestInstance(type, item))
    : requestInstance(type, value);
}

/** The fields of a request class: what else is sent is dropped. */
export function declaredFields(type: Type<object>): ReadonlyMap<string, DeclaredField> {
  const known = declared.get(type);
  if (known) return known;
  const fields = new Map<string, DeclaredField>();
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  for (const { propertyName: name, constraints, type: kind } of checks) {
    const [constraint] = (constraints ?? []) as unknown[];
    const before = fields.get(name);
    const check = constraint instanceof FieldCheck ? constraint : before?.check;
    const isNested = kind === ValidationTypes.NESTED_VALIDATION;
    const nested = check?.nested ?? before?.nested ?? (isNested ? nestedByOthers(type, name) : undefined);
    fields.set(name, { check, isTransformed: isTransformed(type, name), nested });
  }
  declared.set(type, fields);
  return fields;
}

/** What `@Type()` says of a field with `@ValidateNested()`; nothing where it depends on the value. */
function nestedByOthers(type: Type<object>, name: string): (() => Type<object>) | undefined {
  const { typeFunction, options } = defaultMetadataStorage.findTypeMetadata(type, name) ?? {};
  if (!typeFunction || typeFunction.length > 0 || options?.discriminator) return undefined;
  return () => typeFunction() as Type<object>;
}

const isTransformed = (type: Type<object>, name: string): boolean =>
  [
    defaultMetadataStorage.findTransformMetadatas(type, name, TransformationType.PLAIN_TO_CLASS).length > 0,
    defaultMetadataStorage.findTypeMetadata(type, name),
    defaultMetadataStorage.findExposeMetadata(type, name),
    defaultMetadataStorage.findExcludeMetadata(type, name),
  ].some(Boolean);
