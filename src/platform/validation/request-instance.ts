import { Injectable, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { MAX_IGNORED_NAMES } from '../http/request-content';
import { type Fault, FieldCheck } from './fields';

/** The check of a field by our decorators, and the class of its object or of its list's items. */
interface DeclaredField {
  readonly fault?: Fault;
  readonly nested?: Type<object>;
}

type DeclaredFields = ReadonlyMap<string, DeclaredField>;

const declared = new WeakMap<Type<object>, DeclaredFields>();

function declaredFields(type: Type<object>): DeclaredFields {
  const known = declared.get(type);
  if (known) return known;
  const fields = new Map<string, DeclaredField>();
  for (const { propertyName, constraints } of getMetadataStorage().getTargetValidationMetadatas(
    type,
    '',
    false,
    false,
  )) {
    const check = (constraints as unknown[] | undefined)?.find((found) => found instanceof FieldCheck);
    if (check instanceof FieldCheck)
      fields.set(propertyName, { fault: check.fault, nested: check.nested?.() });
    else if (!fields.has(propertyName)) fields.set(propertyName, {});
  }
  declared.set(type, fields);
  return fields;
}

/** Returns the first class of a request, itself or that of a field, which declares no field. */
export function classWithoutFields(type: Type<object>, seen = new Set<unknown>()): Type<object> | undefined {
  if (seen.has(type)) return undefined;
  seen.add(type);
  const fields = [...declaredFields(type).values()];
  if (fields.length === 0) return type;
  return fields.map(({ nested }) => nested && classWithoutFields(nested, seen)).find((found) => found);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Such an object in a field with decorators of other libraries only is validated without being transformed. */
const hasManyKeys = (value: unknown): boolean =>
  isObject(value) &&
  ((!Array.isArray(value) && Object.keys(value).length > 500) || Object.values(value).some(hasManyKeys));

/**
 * Converts a client's object into an instance of a request class, with the fields that the class declares. The time
 * of class-transformer grows with the square of an object's keys, so it never gets a large object. Objects of our
 * fields become instances here. Free-form JSON and invalid values stay unchanged.
 */
export function requestInstance(type: Type<object>, given: object): object {
  const plain: Record<string, unknown> = {};
  const objects: Record<string, unknown> = {};
  for (const [name, field] of declaredFields(type)) {
    if (!Object.hasOwn(given, name)) continue;
    const value = (given as Record<string, unknown>)[name];
    if (field.fault && isObject(value)) objects[name] = nestedInstances(value, field);
    else if (hasManyKeys(value)) objects[name] = value;
    else plain[name] = value;
  }
  return Object.assign(plainToInstance(type, plain), objects);
}

function nestedInstances(value: object, { fault, nested }: DeclaredField): object {
  if (!nested || fault?.(value) !== undefined) return value;
  return Array.isArray(value)
    ? value.map((item: object) => requestInstance(nested, item))
    : requestInstance(nested, value);
}

/**
 * Returns the fields of a client's object that its request class does not declare: dotted paths without indexes,
 * each once, in the order sent, the first `MAX_IGNORED_NAMES`.
 */
export function ignoredFields(type: Type<object>, given: object): Set<string> {
  const ignored = new Set<string>();
  collectIgnored(type, given, '', ignored);
  return ignored;
}

function collectIgnored(type: Type<object>, given: object, path: string, ignored: Set<string>): void {
  const fields = declaredFields(type);
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (ignored.size >= MAX_IGNORED_NAMES) return;
    const nested = fields.get(name)?.nested;
    if (!fields.has(name)) ignored.add(path + name);
    if (!nested) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isObject(item) && !Array.isArray(item)) collectIgnored(nested, item, `${path}${name}.`, ignored);
    }
  }
}

/** `search[]`, `search[0]`, `search[name]`: lists and objects in a query. */
const BRACKETS = /^([^[]+)(\[.*)$/s;
const ITEM = /^\[\d*\]$/;

/**
 * Returns a query in which parameters with brackets have the name that the class declares, with the list or object
 * as value, so that the field's check reports the fault. An empty value counts as absent.
 */
export function withBrackets(type: Type<object>, query: object): object {
  const names = Object.keys(query);
  if (!names.some((name) => name.includes('['))) return query;
  const fields = declaredFields(type);
  const read = Object.assign(Object.create(null) as Record<string, unknown>, query);
  for (const sent of names) {
    const [, name = '', brackets = ''] = BRACKETS.exec(sent) ?? [];
    if (fields.has(sent) || !fields.has(name)) continue;
    const values = [read[sent]].flat();
    delete read[sent];
    if (values.every((value) => value === '')) continue;
    const items = ITEM.test(brackets) ? values : [{ [brackets]: values }];
    read[name] = name in read ? [read[name], ...items].flat() : items;
  }
  return read;
}

/**
 * Request classes that this application extends: fields that are registered at start belong to a class of their
 * own. Bodies are checked against the extended class, and the OpenAPI document shows it.
 */
@Injectable()
export class RequestClasses {
  /** The replacement of each class. */
  readonly replaced = new Map<Type<object>, Type<object>>();

  /** @param to class to validate requests against if a route's parameter has the class `from` */
  replace(from: Type<object>, to: Type<object>): void {
    this.replaced.set(from, to);
  }

  /** Returns the class to validate a request against. */
  of<T extends Type<object>>(type: T): T {
    return (this.replaced.get(type) as T | undefined) ?? type;
  }
}
