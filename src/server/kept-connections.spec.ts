import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { keepConnections } from './kept-connections';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a kept connection', () => {
  let server: Server;
  let clients: Socket[];

  const listen = async (options: object, seconds: number, many?: number) => {
    server = createServer(options, (_, response) => void response.end());
    keepConnections(server, seconds, many);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  };
  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    client.on('error', () => undefined);
    clients.push(client);
    await accepted;
    return client;
  };
  const announced = async (client: Socket): Promise<number> => {
    client.write(GET);
    const [text] = (await once(client, 'data')) as [string];
    return Number(/^keep-alive: timeout=(\d+)/im.exec(text)?.[1]);
  };

  beforeEach(() => (clients = []));
  afterEach(() => {
    for (const client of clients) client.destroy();
    server.close();
    server.closeAllConnections();
  });

  it('is told to be left before it is closed', async () => {
    await listen({}, 65);
    expect(await announced(await open())).toBe(65);
    expect(server.keepAliveTimeout).toBeGreaterThan(65_500);
  });

  it('may be idle for longer than a request may take to arrive', async () => {
    // Looks for requests that are late every few milliseconds, not seconds.
    await listen({ connectionsCheckingInterval: 20, requestTimeout: 100, headersTimeout: 100 }, 65);
    const client = await open();
    await announced(client);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await announced(client)).toBe(65);
  });

  it('is kept for five seconds while there are many', async () => {
    await listen({}, 65, 2);
    const [first, , third] = [await open(), await open(), await open()];
    expect(await announced(first)).toBe(5);
    third.destroy();
    while (server.keepAliveTimeout < 65_000) await new Promise((resolve) => setImmediate(resolve));
    expect(await announced(first)).toBe(65);
  });

  it('is never kept for longer than the setting says', async () => {
    await listen({}, 2, 0);
    expect(await announced(await open())).toBe(2);
  });
});
