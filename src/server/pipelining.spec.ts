import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { handleInTurn, inTurn } from './pipelining';

describe('inTurn', () => {
  let server: Server;
  let socket: Socket;
  let seen: number;
  let handled: { request: IncomingMessage; response: ServerResponse }[];
  let text: string;

  beforeEach(async () => {
    [seen, handled, text] = [0, [], ''];
    server = createServer((request, response) => {
      seen++;
      inTurn(response, () => handled.push({ request, response }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (part) => (text += String(part)));
  });
  afterEach(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  const send = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise(setImmediate);
  };
  const aWhile = () => new Promise((resolve) => setTimeout(resolve, 200));

  it('handles one request of a connection at a time, in their order', async () => {
    for (const path of ['/a', '/b', '/c']) send(path);
    await until(() => seen === 3);
    for (let n = 1; n <= 3; n++) {
      await until(() => handled.length >= n);
      expect(handled).toHaveLength(n);
      const { request, response } = handled[n - 1]!;
      response.end(request.url);
    }
    await until(() => text.includes('/c'));
    expect(text.match(/\/[abc]/g)).toEqual(['/a', '/b', '/c']);
  });

  it('handles none as a part of the one before', async () => {
    const context = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    server.removeAllListeners('request');
    server.on('request', ({ url }, response) =>
      inTurn(response, () => {
        contexts.push(context.getStore());
        context.run(url!, () => setImmediate(() => response.end(url)));
      }),
    );
    for (const path of ['/a', '/b']) send(path);
    await until(() => text.includes('/b'));
    expect(contexts).toEqual([undefined, undefined]);
  });

  it('is put before whatever handles the requests of a server', async () => {
    const [before, urls]: [number[], unknown[]] = [[], []];
    server.removeAllListeners('request');
    server.on('request', ({ url }) => urls.push(url));
    server.on('request', (_, response) => before.push(seen) && setImmediate(() => response.end()));
    handleInTurn(server);
    server.on('request', () => seen++);
    // The first of a connection is never handled at once.
    send('/first');
    await until(() => urls.length === 1);
    for (const path of ['/a', '/b', '/c']) send(path);
    await until(() => urls.length === 4);
    expect(urls).toEqual(['/first', '/a', '/b', '/c']);
    expect(before).toEqual([1, 1, 4, 4]);
  });

  it('does not wait for other connections', async () => {
    send('/a');
    await until(() => handled.length === 1);
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1');
    other.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => handled.length === 2);
    other.destroy();
  });

  it('drops what waits when the connection closes', async () => {
    for (const path of ['/a', '/b']) send(path);
    await until(() => seen === 2);
    const closed = once(handled[0]!.response, 'close');
    socket.destroy();
    await closed;
    await aWhile();
    expect(handled).toHaveLength(1);
  });

  it('lets a thousand wait, and answers all of them', async () => {
    for (let n = 0; n <= 1000; n++) send(`/${n}`);
    await until(() => seen === 1001);
    for (let n = 0; n <= 1000; n++) {
      await until(() => handled.length > n);
      handled[n]!.response.end();
    }
    expect(handled.map(({ request }) => request.url)).toEqual([...Array(1001).keys()].map((n) => `/${n}`));
  });

  it('closes a connection with more', async () => {
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    for (let n = 0; n <= 1001; n++) send(`/${n}`);
    await closed;
    expect(handled).toHaveLength(1);
  });

  it('counts those that wait, not those that have waited', () => {
    const connection = { destroy: jest.fn() };
    const waiting = () =>
      ({
        socket: null,
        req: { socket: connection },
        assignSocket: () => undefined,
      }) as unknown as ServerResponse;
    const responses = Array.from({ length: 1000 }, waiting);
    for (const response of responses) inTurn(response, () => undefined);
    responses[0]!.assignSocket(connection as unknown as Socket);
    inTurn(waiting(), () => undefined);
    expect(connection.destroy).not.toHaveBeenCalled();
    inTurn(waiting(), () => undefined);
    expect(connection.destroy).toHaveBeenCalledTimes(1);
  });
});
