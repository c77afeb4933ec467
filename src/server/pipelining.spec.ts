import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { Pipelining } from './pipelining';

interface Handled {
  request: IncomingMessage;
  response: ServerResponse;
  /** Whether it was handled in the turn of the event loop in which it was read. */
  atOnce: boolean;
}

let server: Server;
let sockets: Socket[];
let handled: Handled[];
/** Handles a request in place of a test that looks at `handled`. */
let handle: RequestListener | undefined;
/** Addresses of requests that Node has parsed, and whether one is being parsed. */
let parsed: (string | undefined)[];
let isParsing: boolean;

beforeEach(async () => {
  [sockets, handled, handle, parsed, isParsing] = [[], [], undefined, [], false];
  server = createServer((request, response) => {
    if (handle) handle(request, response);
    else handled.push({ request, response, atOnce: isParsing });
  });
  new Pipelining(server);
  server.prependListener('request', ({ socket }) => {
    parsed.push(socket.remoteAddress);
    isParsing = true;
  });
  server.on('request', () => (isParsing = false));
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
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 100));

function open(localAddress = '127.0.0.1'): Socket & { text: string } {
  const { port } = server.address() as AddressInfo;
  const socket = Object.assign(connect({ port, host: '127.0.0.1', localAddress }), { text: '' });
  socket.on('error', () => undefined).on('data', (part) => (socket.text += String(part)));
  sockets.push(socket);
  return socket;
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const many = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);
const urls = () => handled.map(({ request }) => request.url);
const answer = ({ request, response }: Handled) => response.end(`<${request.url}>`);

/** Answers each request when it is handled, until so many are. */
async function answerAll(count: number, first = 0): Promise<void> {
  for (let n = first; n < count; n += 1) {
    await until(() => handled.length > n);
    answer(handled[n]!);
  }
}

describe('the first request of a connection', () => {
  it('is handled later than it is read, those after it at once', async () => {
    const socket = open();
    for (const path of ['/a', '/b', '/c']) {
      socket.write(get(path));
      await until(() => urls().includes(path));
      answer(handled.at(-1)!);
    }
    expect(urls()).toEqual(['/a', '/b', '/c']);
    expect(handled.map(({ atOnce }) => atOnce)).toEqual([false, true, true]);
  });

  it('is not handled when its client has left', async () => {
    const accepted = once(server, 'connection');
    const socket = open();
    const [connection] = (await accepted) as [Socket];
    // Both have come before the server looks again.
    connection.pause();
    await new Promise((resolve) => socket.write(get('/left'), resolve));
    socket.destroy();
    await once(socket, 'close');
    connection.resume();
    await until(() => connection.destroyed);
    for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
    expect(parsed).toHaveLength(1);
    open().write(get('/stays'));
    await until(() => handled.length > 0);
    expect(urls()).toEqual(['/stays']);
  });
});

describe('requests that are sent without waiting for answers', () => {
  it('are handled one at a time, in their order', async () => {
    const socket = open();
    for (const path of ['/a', '/b', '/c']) socket.write(get(path));
    await until(() => parsed.length === 3);
    for (let n = 1; n <= 3; n++) {
      await until(() => handled.length >= n);
      await aWhile();
      expect(handled).toHaveLength(n);
      answer(handled[n - 1]!);
    }
    await until(() => socket.text.includes('</c>'));
    expect(socket.text.match(/<.*?>/g)).toEqual(['</a>', '</b>', '</c>']);
  });

  it('are no part of the one before', async () => {
    const context = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    handle = ({ url }, response) => {
      contexts.push(context.getStore());
      context.run(url!, () => setImmediate(() => response.end(`<${url}>`)));
    };
    const socket = open();
    // More than are taken off the socket at once: the last are read when others have been answered.
    socket.write(many(100).map(get).join(''));
    await until(() => socket.text.includes('</99>'));
    expect(contexts).toEqual(Array.from({ length: 100 }, () => undefined));
  });

  it('do not wait for other connections', async () => {
    open().write(get('/a'));
    await until(() => handled.length === 1);
    open().write(get('/other'));
    await until(() => handled.length === 2);
  });

  it.each([3, 100])('are dropped when the connection closes, of %d', async (count) => {
    const accepted = once(server, 'connection');
    const socket = open();
    const [connection] = (await accepted) as [Socket];
    socket.write(many(count).map(get).join(''));
    await until(() => handled.length === 1);
    connection.destroy();
    await once(handled[0]!.response, 'close');
    answer(handled[0]!);
    await aWhile();
    expect(handled).toHaveLength(1);
  });

  it('are dropped when the client has left: of more than are read that shows with an answer', async () => {
    const socket = open();
    socket.write(many(100).map(get).join(''));
    await until(() => handled.length === 1);
    socket.destroy();
    for (let n = 0; n < 3; n += 1) {
      await aWhile();
      if (handled.length > n) answer(handled[n]!);
    }
    await aWhile();
    expect(handled.length).toBeLessThanOrEqual(3);
  });

  it('are few at a time, the rest is not read; all of them are answered', async () => {
    const socket = open();
    socket.write(many(5000).map(get).join(''));
    await until(() => handled.length === 1);
    await aWhile();
    expect(parsed.length).toBeGreaterThanOrEqual(9);
    expect(parsed.length).toBeLessThan(30);
    for (let n = 0; n < 1000; n += 1) {
      await until(() => handled.length > n);
      answer(handled[n]!);
      expect(parsed.length).toBeLessThan(n + 50);
    }
    await answerAll(5000, 1000);
    await until(() => socket.text.includes('</4999>'));
    expect(socket.text.match(/<.*?>/g)).toEqual(many(5000).map((path) => `<${path}>`));
  });

  it('are one at a time where many of an address wait; of another address they are not', async () => {
    for (let n = 0; n < 40; n += 1) open('127.0.0.2').write(many(100).map(get).join(''));
    await until(() => handled.length === 40);
    await aWhile();
    expect(parsed.length - 40).toBeGreaterThanOrEqual(256);
    // Of each the first part has been parsed.
    expect(parsed.length - 40).toBeLessThan(256 + 40 * 22);
    /** Sent apart, so that one part of them is one request. @returns how many are parsed */
    const trickle = async (address: string) => {
      const before = parsed.filter((from) => from?.endsWith(address)).length;
      const socket = open(address);
      socket.setNoDelay(true);
      for (const path of many(15)) {
        await new Promise((resolve) => socket.write(get(path), resolve));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return parsed.filter((from) => from?.endsWith(address)).length - before;
    };
    expect(await trickle('127.0.0.2')).toBe(2);
    expect(await trickle('127.0.0.3')).toBe(9);
    for (const { request } of handled) request.socket.destroy();
    await aWhile();
    expect(await trickle('127.0.0.2')).toBe(9);
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

  it('are read on when a client has taken its answers late', async () => {
    const large = 'x'.repeat(20_000);
    handle = ({ url }, response) => response.end(`${large}<${url}>`);
    const socket = open();
    socket.pause();
    socket.write(many(300).map(get).join(''));
    await aWhile();
    socket.resume();
    await until(() => socket.text.endsWith('</299>'));
    expect(socket.text.match(/<.*?>/g)).toEqual(many(300).map((path) => `<${path}>`));
  });

  it('are answered when their client has ended its side behind them', async () => {
    const socket = open();
    socket.end(many(100).map(get).join(''));
    await answerAll(60);
    expect(urls().slice(0, 60)).toEqual(many(60));
  });
});

it('a connection that changes its protocol is left to who takes it', async () => {
  server.on('upgrade', (_, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.on('data', (part) => socket.write(part));
  });
  const socket = open();
  socket.write(get('/a'));
  await answerAll(1);
  socket.write('GET /b HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  await until(() => socket.text.includes('101 Switching'));
  socket.write('echoed');
  await until(() => socket.text.endsWith('echoed'));
});

describe('what comes with the request that changes the protocol of its connection', () => {
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(600)}\r\n`;
  const upgrade = `${head('GET /b')}Connection: Upgrade\r\nUpgrade: echo\r\n\r\n`;
  const rest = 'y'.repeat(3000);

  it('goes to who takes the connection', async () => {
    server.on('upgrade', (_, socket: Socket, begin: Buffer) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      if (begin.length > 0) socket.unshift(begin);
      setImmediate(() => socket.on('data', (part) => socket.write(part)));
    });
    const socket = open();
    socket.write(upgrade + rest);
    await until(() => socket.text.endsWith(rest));
    expect(socket.text.split('\r\n\r\n')[1]).toBe(rest);
  });

  it('is dropped where nobody takes it', async () => {
    const socket = open();
    socket.write(`${head('CONNECT x:1')}\r\n${many(50).map(get).join('')}`);
    await once(socket, 'close');
    expect(parsed).toEqual([]);
    open().write(get('/a'));
    await answerAll(1);
    expect(urls()).toEqual(['/a']);
  });
});
