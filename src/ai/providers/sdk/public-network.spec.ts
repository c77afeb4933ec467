import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publicLookup, publicNetwork } from './public-network';

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
