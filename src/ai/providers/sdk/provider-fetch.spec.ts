import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_ANSWER_BYTES } from './bounded-fetch';
import { providerFetch } from './provider-fetch';

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
