import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { limitConnections } from './connection-limits';

/** Far more than the buffers of a local connection hold. */
const HUGE = 'x'.repeat(32 * 1024 * 1024);

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let sockets: Socket[];
let handled: { request: IncomingMessage; response: ServerResponse }[];
/** Handles requests in place of a test that looks at `handled`. */
let handle: Handler | undefined;

beforeEach(async () => {
  [sockets, handled, handle] = [[], [], undefined];
  server = createServer((request, response) => {
    if (handle) handle(request, response);
    else handled.push({ request, response });
  });
  limitConnections(server, 65);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise(setImmediate);
};
const aWhile = (ms = 100) => new Promise((resolve) => setTimeout(resolve, ms));

function open(): Socket & { text: string } {
  const { port } = server.address() as AddressInfo;
  const socket = Object.assign(connect({ port, host: '127.0.0.1' }), { text: '' });
  socket.on('error', () => undefined).on('data', (part) => (socket.text += String(part)));
  sockets.push(socket);
  return socket;
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const many = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);
const urls = () => handled.map(({ request }) => request.url);
const answer = (n: number) => handled[n]!.response.end(`<${handled[n]!.request.url}>`);

it('a request has thirty seconds to arrive, a connection is kept as long as the setting says', () => {
  expect([server.requestTimeout, server.headersTimeout, server.timeout]).toEqual([30_000, 30_000, 15_000]);
  expect(server.keepAliveTimeout).toBe(65_000);
});

describe('a client that does not read', () => {
  beforeEach(() => (server.timeout = 200));

  const ask = async () => {
    const accepted = once(server, 'connection');
    const socket = open();
    socket.pause();
    socket.write(get('/huge'));
    return { socket, accepted: ((await accepted) as [Socket])[0] };
  };

  it.each([
    ['of an answer', (response: ServerResponse) => response.end(HUGE)],
    ['of an event stream', (response: ServerResponse) => response.write(HUGE)],
  ])('%s is disconnected', async (_, send) => {
    handle = (_request, response) => void send(response);
    const { accepted } = await ask();
    await once(accepted, 'close');
  });

  it('is not disconnected while it reads slowly', async () => {
    // A busy machine may need a second for what a quiet one does at once.
    server.timeout = 2000;
    handle = (_request, response) => void response.end(HUGE);
    const { socket, accepted } = await ask();
    for (let n = 0; n < 50; n += 1) {
      await aWhile(50);
      const before = socket.bytesRead;
      socket.resume();
      while (socket.bytesRead < before + 500_000) await once(socket, 'data');
      socket.pause();
    }
    expect(accepted.destroyed).toBe(false);
  });

  it('is not disconnected while the handler works or the stream is silent', async () => {
    handle = (_request, response) => void response.write('begun');
    const { socket, accepted } = await ask();
    socket.resume();
    await aWhile(600);
    expect(accepted.destroyed).toBe(false);
  });

  it('is disconnected even after a silence of the stream', async () => {
    let response!: ServerResponse;
    handle = (_request, given) => void (response = given).write('begun');
    const { accepted } = await ask();
    await aWhile(600);
    response.write(HUGE);
    await once(accepted, 'close');
  });
});

describe('requests that are sent without waiting for answers', () => {
  it('are started one at a time, and all of them are answered in their order', async () => {
    const socket = open();
    socket.write(many(2000).map(get).join(''));
    await until(() => handled.length > 0);
    await aWhile();
    expect(handled).toHaveLength(1);
    for (let n = 0; n < 2000; n += 1) {
      await until(() => handled.length > n);
      expect(handled).toHaveLength(n + 1);
      answer(n);
    }
    await until(() => socket.text.includes('</1999>'));
    expect(socket.text.match(/<.*?>/g)).toEqual(many(2000).map((path) => `<${path}>`));
  });

  it.each([1, 20])(
    'of %i connections leave a turn of the event loop after each answer',
    async (connections) => {
      const EACH = 50;
      const COUNT = connections * EACH;
      let requests = 0;
      let turns = 0;
      const count = () => {
        turns += 1;
        if (requests > 0 && requests < COUNT) setImmediate(count);
      };
      handle = (_, response) => {
        requests += 1;
        if (requests === 1) setImmediate(count);
        response.end();
      };
      for (let n = 0; n < connections; n += 1) open().write(many(EACH).map(get).join(''));
      await until(() => requests === COUNT);
      // The first requests of several connections may arrive in one turn.
      expect(turns).toBeGreaterThanOrEqual(COUNT - 2 * connections);
    },
  );

  it('do not wait for other connections', async () => {
    open().write(get('/a'));
    await until(() => handled.length === 1);
    open().write(get('/other'));
    await until(() => handled.length === 2);
  });

  it('are dropped when the connection closes', async () => {
    const accepted = once(server, 'connection');
    open().write(many(100).map(get).join(''));
    const [connection] = (await accepted) as [Socket];
    await until(() => handled.length > 0);
    await aWhile();
    const started = handled.length;
    connection.destroy();
    await aWhile();
    expect(handled).toHaveLength(started);
  });

  it('are answered when their client has ended its side behind them', async () => {
    const socket = open();
    socket.end(many(100).map(get).join(''));
    for (let n = 0; n < 60; n += 1) {
      await until(() => handled.length > n);
      answer(n);
    }
    expect(urls().slice(0, 60)).toEqual(many(60));
  });

  it('are read on when a client has read its answers late', async () => {
    const large = 'x'.repeat(20_000);
    handle = ({ url }, response) => void response.end(`${large}<${url}>`);
    const socket = open();
    socket.pause();
    socket.write(many(300).map(get).join(''));
    await aWhile();
    socket.resume();
    await until(() => socket.text.endsWith('</299>'));
    expect(socket.text.match(/<.*?>/g)).toEqual(many(300).map((path) => `<${path}>`));
  });

  it('are read on when bodies came between them, whatever the parts are that they come in', async () => {
    handle = (request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => setImmediate(() => response.end(`<${request.url} ${body.length}>`)));
    };
    const post = (path: string, body: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const chunked = (path: string, body: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `${body ? `${body.length.toString(16)}\r\n${body}\r\n` : ''}0\r\n\r\n`;
    const bodies = fc.oneof(
      fc.constant(undefined),
      fc.integer({ min: 0, max: 3000 }).map((length) => 'x'.repeat(length)),
      fc.integer({ min: 0, max: 700 }).map((length) => '\r\n'.repeat(length)),
      fc.constant('x'.repeat(200_000)),
    );
    const request = fc.record({ body: bodies, isChunked: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }),
        async (requests, sizes) => {
          const all = requests
            .map(({ body, isChunked }, n) =>
              body === undefined ? get(`/${n}`) : isChunked ? chunked(`/${n}`, body) : post(`/${n}`, body),
            )
            .join('');
          const socket = open();
          socket.setNoDelay(true);
          for (let at = 0, n = 0; at < all.length; n += 1) {
            const end = all.length > 100_000 ? all.length : at + sizes[n % sizes.length]!;
            socket.write(all.slice(at, end));
            at = end;
            if (n % 3 === 0) await new Promise(setImmediate);
          }
          const expected = requests.map(({ body = '' }, n) => `</${n} ${body.length}>`);
          await until(() => socket.text.includes(expected.at(-1)!));
          expect(socket.text.match(/<.*?>/g)).toEqual(expected);
          socket.destroy();
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});

it('a connection that changes its protocol is left to who takes it', async () => {
  const rest = 'y'.repeat(3000);
  server.on('upgrade', (_, socket: Socket, begin: Buffer) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    if (begin.length > 0) socket.unshift(begin);
    setImmediate(() => socket.on('data', (part) => socket.write(part)));
  });
  const socket = open();
  const head = `GET /b HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(600)}\r\n`;
  socket.write(`${head}Connection: Upgrade\r\nUpgrade: echo\r\n\r\n${rest}`);
  await until(() => socket.text.endsWith(rest));
  expect(socket.text.split('\r\n\r\n')[1]).toBe(rest);
});
