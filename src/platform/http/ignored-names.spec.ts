import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { runInRequest } from '../common/request-context';
import { headerName, IGNORED_FIELDS_HEADER, nameIgnored, nameRead } from './request-content';

const answer = () => new ServerResponse(new IncomingMessage(new Socket()));

/** What the answer to a request says, on whose way `work` is done. */
function told(work: () => void): unknown {
  const response = answer();
  runInRequest('id', response, work);
  return response.getHeader(IGNORED_FIELDS_HEADER);
}
const ignore = (...names: string[]) => nameIgnored(IGNORED_FIELDS_HEADER, new Set(names));

describe('names that were ignored', () => {
  it('stand in the answer in their order, at most ten', () => {
    expect(told(() => ignore('b', 'a.c'))).toBe('b, a.c');
    expect(told(() => ignore())).toBeUndefined();
    expect(told(() => ignore(...'abcdefghijkl'))).toBe('a, b, c, d, e, f, g, h, i, j');
    expect(told(() => ignore(''))).toBeUndefined();
  });

  it('are those that none of a handler’s parameters reads', () => {
    const both = () => {
      ignore('a', 'b');
      ignore('b', 'c');
    };
    expect(told(both)).toBe('b');
    const none = () => {
      ignore('a');
      ignore('b');
    };
    expect(told(none)).toBeUndefined();
    const read = () => nameRead(IGNORED_FIELDS_HEADER, 'a');
    const ignored = () => ignore('a', 'a.x', 'ab');
    expect(told(() => [read(), ignored()])).toBe('ab');
    expect(told(() => [ignored(), read()])).toBe('ab');
    expect(told(read)).toBeUndefined();
  });

  it('are told to nobody outside of requests, nor behind an answer that has begun', () => {
    ignore('a');
    const response = answer();
    response.writeHead(200);
    runInRequest('id', response, () => ignore('a'));
    expect(response.getHeader(IGNORED_FIELDS_HEADER)).toBeUndefined();
  });
});

describe('a name in a header', () => {
  it.each([
    ['phases.ingredients.note', 'phases.ingredients.note'],
    ['search[]', 'search%5B%5D'],
    ['a b,(c)"%', 'a%20b%2C%28c%29%22%25'],
    ['名', '%E5%90%8D'],
    ['a\r\nSet-Cookie: b', 'a%0D%0ASet-Cookie%3A%20b'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), `${'x'.repeat(97)}...`],
    // 10 of 9 places and 7 of the eleventh.
    ['名'.repeat(12), `${'%E5%90%8D'.repeat(10)}%E5%90...`],
  ])('%j is written %s', (name, written) => expect(headerName(name)).toBe(written));

  it('is a short token, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(headerName(name)).toMatch(/^[\w.!~*'%-]{0,100}$/);
      }),
    );
    expect(headerName('\ud800')).toBe('%EF%BF%BD');
  });
});
