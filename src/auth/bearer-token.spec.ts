import { bearerToken } from './bearer-token';

describe('bearer token', () => {
  it.each([
    ['Bearer abc.def.ghi', 'abc.def.ghi'],
    ['bearer abc', 'abc'],
    ['BEARER  abc', 'abc'],
    ['Bearer \t abc', 'abc'],
    ['Bearer abc more', 'abc'],
    ['Bearer', null],
    ['Bearer ', null],
    ['Bearerabc', null],
    ['Basic abc', null],
    [' Bearer abc', null],
    ['abc', null],
    ['', null],
    [undefined, null],
  ])('%j: %j', (authorization, token) => {
    expect(bearerToken({ headers: { authorization } })).toBe(token);
  });
});
