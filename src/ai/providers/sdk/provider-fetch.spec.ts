import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AnswerTooLong,
  boundedFetch,
  BYTES_PER_LINE,
  MAX_ANSWER_BYTES,
  providerFetch,
  publicLookup,
  publicNetwork,
} from './provider-fetch';

describe('providerFetch', () => {
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/away') response.writeHead(307, { Location: '/' }).end();
      else response.end(request.url === '/long' ? Buffer.alloc(MAX_ANSWER_BYTES + 1) : 'here');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('fetches, and follows no redirect', async () => {
    expect(await (await providerFetch({})(`http://${origin}/`)).text()).toBe('here');
    expect((await providerFetch({})(`http://${origin}/away`, { redirect: 'follow' })).status).toBe(307);
  });

  it('reads no answer without an end', async () => {
    const answer = await providerFetch({})(`http://${origin}/long`);
    await expect(answer.text()).rejects.toThrow();
  });

  it.each(['127.0.0.1', 'localhost'])(
    'connects to no private address where it must be public: %s',
    async (host) => {
      const fetching = providerFetch({ mustBePublic: true });
      const address = `http://${origin.replace('127.0.0.1', host)}/`;
      await expect(fetching(address)).rejects.toThrow(TypeError);
      await expect(fetching(new URL(address))).rejects.toThrow(TypeError);
      await expect(fetching(new Request(address))).rejects.toThrow(TypeError);
    },
  );
});

describe('boundedFetch', () => {
  let server: Server;
  let pieces: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader('x-encoding', request.headers['accept-encoding'] ?? '');
      response.setHeader('x-own', request.headers['x-own'] ?? '');
      response.writeHead(pieces.length > 0 ? 201 : 204);
      void (async () => {
        for (const piece of pieces) {
          response.write(piece);
          // A piece of its own on the wire.
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        response.end();
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const ask = (sent: string[]) => {
    pieces = sent;
    return boundedFetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      headers: { 'X-Own': 'kept', 'Accept-Encoding': 'gzip' },
    });
  };
  const received = async (sent: string[]) => {
    const found: string[] = [];
    for await (const piece of (await ask(sent)).body!)
      found.push(Buffer.from(piece as Uint8Array).toString());
    return found;
  };

  it('keeps status, headers and text; asks without compression', async () => {
    const response = await ask(['{"a":\n', '\n\n1}']);
    expect(response.status).toBe(201);
    expect(response.headers.get('x-own')).toBe('kept');
    expect(response.headers.get('x-encoding')).toBe('identity');
    expect(await response.json()).toEqual({ a: 1 });
    expect((await ask([])).status).toBe(204);
  });

  it.each([
    [['data: 1\n\ndata: 2\n\n'], ['data: 1\n\n', 'data: 2\n\n']],
    [
      ['data', ': 1\n', '\ndata: 2'],
      ['data: 1\n\n', 'data: 2'],
    ],
    [['a\r\rb\r\n\r\nc\n\r\nd'], ['a\r\r', 'b\r\n\r\n', 'c\n\r\nd']],
    [
      ['a\r\n\r', '\nb'],
      ['a\r\n\r\n', 'b'],
    ],
    [['a\nb\nc\n'], ['a\nb\nc\n']],
    [
      ['a\n', 'b\n\n\n\n\nc'],
      ['a\nb\n\n', '\nc'],
    ],
    // Events without data.
    [['data:\n\ndata: 1\n\ndata: \r\n\r\nevent: ping\rdata:\r\rid: 7\n\n'], ['data: 1\n\n']],
    [['event: x\ndata:\ndata: 1\n\n: note\n\n'], ['event: x\ndata:\ndata: 1\n\n', ': note\n\n']],
  ])('hands on %j as %j', async (sent, events) => {
    expect(await received(sent)).toEqual(events);
  });

  it('counts bytes, lines and pieces up to the limit', async () => {
    expect([MAX_ANSWER_BYTES, BYTES_PER_LINE]).toEqual([8 * 1024 * 1024, 64]);
    const lines = 1000;
    const most = MAX_ANSWER_BYTES - lines * (BYTES_PER_LINE + 1) - BYTES_PER_LINE;
    const body = async (extra: number) => {
      // One piece on the wire is many for its reader: only a body of our own has pieces that are known.
      const spy = jest
        .spyOn(globalThis, 'fetch')
        .mockResolvedValue(new Response(Buffer.from('\n'.repeat(lines) + 'x'.repeat(most + extra))));
      try {
        return await (await boundedFetch('http://unused')).text();
      } finally {
        spy.mockRestore();
      }
    };
    expect((await body(0)).length).toBe(most);
    await expect(body(1)).rejects.toThrow(AnswerTooLong);
  });
});

type Found = { address: string; family: number }[];

/** What a name means, for the time of a test. */
function resolving(found: Found | Error): jest.SpyInstance {
  const answer = (_name: string, _options: unknown, callback: (...args: unknown[]) => void) =>
    found instanceof Error ? callback(found) : callback(null, found);
  return jest.spyOn(dns, 'lookup').mockImplementation(answer as never);
}

const lookedUp = (all: boolean) =>
  new Promise((resolve) =>
    publicLookup('name.example', { all }, (error, address, family) =>
      resolve(error ? error.message : { address, family }),
    ),
  );

describe('publicLookup', () => {
  afterEach(() => jest.restoreAllMocks());

  const PUBLIC = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ];

  it('gives what the name means', async () => {
    resolving(PUBLIC);
    expect(await lookedUp(true)).toEqual({ address: PUBLIC, family: undefined });
    expect(await lookedUp(false)).toEqual({ address: '8.8.8.8', family: 4 });
  });

  it('nothing, if one of its addresses is private', async () => {
    resolving([...PUBLIC, { address: '10.0.0.1', family: 4 }]);
    expect(await lookedUp(true)).toBe('The name leads into a private network');
    expect(await lookedUp(false)).toBe('The name leads into a private network');
  });

  it('a name that means nothing stays an error', async () => {
    resolving(new Error('ENOTFOUND'));
    expect(await lookedUp(true)).toBe('ENOTFOUND');
  });
});

describe('publicNetwork', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('the runtime’s fetch keeps to it', async () => {
    const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
    expect(await (await fetch(url)).text()).toBe('reached');
    const bound = { dispatcher: publicNetwork() as never };
    await expect(fetch(url, bound)).rejects.toMatchObject({
      cause: { message: 'The name leads into a private network' },
    });
  });
});
