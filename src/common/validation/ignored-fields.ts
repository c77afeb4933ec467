import type { Type } from '@nestjs/common';
import { MAX_IGNORED_NAMES } from '../http/ignored-names';
import { declaredFields } from './request-instance';

/**
 * What a request class does not declare of what was sent: dotted paths without indexes, each once, in the
 * order sent, the first `MAX_IGNORED_NAMES`. Free-form JSON and what is no value of its field is not looked
 * into.
 */
export function ignoredFields(type: Type<object>, given: object): Set<string> {
  const ignored = new Set<string>();
  collect(type, given, '', ignored);
  return ignored;
}

function collect(type: Type<object>, given: object, path: string, ignored: Set<string>): void {
  const fields = declaredFields(type);
  for (const name of Object.keys(given)) {
    if (ignored.size >= MAX_IGNORED_NAMES) return;
    const field = fields.get(name);
    if (!field) ignored.add(path + name);
    else if (field.nested) {
      const value = (given as Record<string, unknown>)[name];
      const inside = `${path}${name}.`;
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isObject(item)) collect(field.nested(), item, inside, ignored);
      }
    }
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
