import type { Type } from '@nestjs/common';
import { declaredFields } from './request-instance';

/** `search[]`, `search[0]`, `search[name]`: how clients write lists and objects in a query. */
const BRACKETS = /^([^[]+)(\[.*)$/s;
const ITEM = /^\[\d*\]$/;

/**
 * A query in which parameters with brackets stand under the name that the class declares, as the list or
 * object they were sent as: its check then says what is wrong with it. Of none is a value dropped but an
 * empty one, which counts as absent.
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
