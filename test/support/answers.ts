import type { Response } from 'supertest';

/** Any 8-4-4-4-12 hexadecimal text in lower case, as the service writes ids. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** ISO 8601 in UTC with milliseconds. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A well-formed id that no record has. */
export const NOWHERE = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const UNAUTHORIZED = '未登录或登录已过期';
export const FORBIDDEN = '无权限执行此操作';

/** The whole error answer: status, content type and a body of exactly these keys. */
export function expectError(
  response: Response,
  statusCode: number,
  error: string,
  more: Record<string, unknown> = {},
): void {
  expect({ status: response.status, body: response.body }).toEqual({
    status: statusCode,
    body: { error, ...more, statusCode },
  });
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
}

/** The record has these keys and no others, whatever their order. */
export function expectKeys(record: object, keys: readonly string[]): void {
  expect(Object.keys(record).toSorted()).toEqual(keys.toSorted());
}

/** A 204 has no body at all. */
export function expectDeleted(response: Response): void {
  expect(response.status).toBe(204);
  expect(response.text).toBe('');
}
