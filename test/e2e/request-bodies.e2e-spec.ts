import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Controller, Delete, Get, HttpCode, Module, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AppModule } from '../../src/app.module';
import { Clock } from '../../src/platform/common/clock';
import { Public } from '../../src/platform/http/route-decorators';
import { type Account, bootApp, type TestApp } from '../support/app';
import { ManualClock } from '../support/clock';

/*
 * When a body is read: after the rate limit and the token check, never before. Whoever is refused there is
 * answered while the body is still on its way, and the connection stays usable.
 */

@Public()
@Controller('ext/bodies')
class BodiesController {
  @Post()
  @HttpCode(200)
  body(@Req() request: Request) {
    return { body: (request.body as unknown) ?? null };
  }

  @Get()
  got(@Req() request: Request) {
    return this.body(request);
  }

  @Get('large')
  large() {
    return 'x'.repeat(20 * MEGABYTE);
  }

  @Delete()
  deleted(@Req() request: Request) {
    return this.body(request);
  }
}

@Module({ controllers: [BodiesController] })
class BodiesModule {}

const LIMIT = 3;
const MEGABYTE = 1024 * 1024;
/** What a public route takes. */
const PUBLIC_LIMIT = 16 * 1024;
/** How long the rest of an unread body is discarded. */
const DRAIN_TIMEOUT_MS = 5_000;
const MINUTE = 60_000;

/** A connection on which requests go out in parts, and answers are read one after the other. */
class Connection {
  private received = '';
  private constructor(
    readonly socket: Socket,
    /** The service's end of it. */
    readonly accepted: Socket,
  ) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
    // A connection that the service gives up may be reset.
    socket.on('error', () => undefined);
  }

  static async to({ app }: TestApp): Promise<Connection> {
    const server = app.getHttpServer();
    const accepted = once(server, 'connection');
    // One that keeps its side open when the service ends the other.
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new Connection(socket, ((await accepted) as [Socket])[0]);
  }

  send(...lines: string[]): void {
    this.socket.write(lines.map((line) => `${line}\r\n`).join(''));
  }

  get hasAnswer(): boolean {
    return this.received !== '';
  }

  /** The next answer: its status, its body's text, and what it says of the connection. */
  async answer(): Promise<{ status: number; text: string; connection: string }> {
    for (;;) {
      const [head = '', ...rest] = this.received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const body = Buffer.from(rest.join('\r\n\r\n'));
      if (rest.length > 0 && body.length >= length) {
        this.received = body.toString('utf8', length);
        const connection = /\r\nconnection: (.*)/i.exec(head)?.[1] ?? '';
        return { status: Number(head.slice(9, 12)), text: body.toString('utf8', 0, length), connection };
      }
      await once(this.socket, 'data');
    }
  }
}

describe('The body of a request', () => {
  let service: TestApp;
  let clock: ManualClock;
  let user: Account;
  let connection: Connection;

  beforeAll(async () => {
    clock = new ManualClock();
    service = await bootApp({
      module: { imports: [AppModule.register({ extensions: [BodiesModule] })] },
      settings: { THROTTLE_LIMIT: String(LIMIT) },
      adjust: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
    user = await service.register();
  });
  afterAll(() => service.close());

  beforeEach(async () => {
    clock.advance(10 * MINUTE);
    connection = await Connection.to(service);
  });
  afterEach(() => connection.socket.destroy());

  const project = JSON.stringify({ name: 'x' });
  const head = (path: string, length: number, ...more: string[]) => [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...more,
    '',
  ];
  const token = () => `Authorization: Bearer ${user.token}`;

  /** Sends what was announced, and sees that the next request on the connection is answered. */
  const goesOn = async (announced: number) => {
    connection.socket.write('{'.repeat(announced));
    connection.send('GET /api/auth/me HTTP/1.1', 'Host: x', token(), '');
    expect((await connection.answer()).status).toBe(200);
  };

  it('is not waited for where there is no token', async () => {
    connection.send(...head('/api/projects', 100_000));
    expect((await connection.answer()).status).toBe(401);
    await goesOn(100_000);
  });

  it('is not waited for where there were too many requests', async () => {
    for (let n = 0; n < LIMIT; n++) await service.http.get('/api/health').expect(200);
    connection.send(...head('/api/auth/login', 100_000));
    expect((await connection.answer()).status).toBe(429);
    await goesOn(100_000);
  });

  it('is not waited for where no route takes it', async () => {
    connection.send(...head('/api/nowhere', 100_000));
    expect((await connection.answer()).status).toBe(404);
    await goesOn(100_000);
  });

  it('is not unpacked where there is no token', async () => {
    connection.send(...head('/api/projects', 2, 'Content-Encoding: gzip'));
    connection.socket.write('no');
    expect((await connection.answer()).status).toBe(401);
    await goesOn(0);
  });

  it('may come in pieces, long after its head', async () => {
    connection.send(...head('/api/projects', project.length, token()));
    for (const piece of [project.slice(0, 5), project.slice(5)]) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      connection.socket.write(piece);
    }
    const { status, text } = await connection.answer();
    expect({ status, name: JSON.parse(text).data.name }).toEqual({ status: 201, name: 'x' });
    await goesOn(0);
  });

  it('may come in one packet with its head and the next request', async () => {
    const next = head('/api/ext/bodies', 7).join('\r\n');
    connection.socket.write(
      `${head('/api/ext/bodies', project.length).join('\r\n')}\r\n${project}${next}\r\n{"b":2}`,
    );
    expect(await connection.answer()).toMatchObject({ status: 200, text: `{"body":${project}}` });
    expect(await connection.answer()).toMatchObject({ status: 200, text: '{"body":{"b":2}}' });
  });

  it('may be chunked', async () => {
    connection.send('POST /api/ext/bodies HTTP/1.1', 'Host: x', 'Content-Type: application/json');
    connection.send('Transfer-Encoding: chunked', '', '4', '{"a"', '3', ':1}', '0', '');
    expect(await connection.answer()).toMatchObject({ status: 200, text: '{"body":{"a":1}}' });
  });

  describe('that is slow', () => {
    beforeEach(() => {
      const others = ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'] as const;
      jest.useFakeTimers({ doNotFake: [...others, 'setInterval', 'clearInterval', 'Date', 'hrtime'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    /** Time goes on for the service, once it reads the body. */
    const pass = async (milliseconds: number) => {
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
      await jest.advanceTimersByTimeAsync(milliseconds);
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    };

    it('is given up after five seconds where a route is public: 408, and the connection is closed', async () => {
      connection.send(...head('/api/auth/login', project.length));
      connection.socket.write(project.slice(0, 2));
      await pass(4000);
      connection.socket.write(project.slice(2, 4));
      await pass(999);
      expect(connection.hasAnswer).toBe(false);
      await pass(1);
      const text = '{"error":"请求超时","statusCode":408}';
      expect(await connection.answer()).toEqual({ status: 408, text, connection: 'close' });
      const closed = once(connection.accepted, 'close');
      connection.socket.end(project.slice(4));
      await closed;
    });

    it('has more time where the route wants a token', async () => {
      connection.send(...head('/api/projects', project.length, token(), 'Expect: 100-continue'));
      // The database has said whose token it is: from here on only the body is waited for.
      expect((await connection.answer()).status).toBe(100);
      connection.socket.write(project.slice(0, 2));
      await pass(20_000);
      expect(connection.hasAnswer).toBe(false);
      connection.socket.write(project.slice(2));
      expect((await connection.answer()).status).toBe(201);
    });

    it('leaves no timer behind when it has come', async () => {
      connection.send(...head('/api/ext/bodies', project.length));
      await pass(4999);
      connection.socket.write(project);
      expect((await connection.answer()).status).toBe(200);
      await pass(1);
      await goesOn(0);
    });
  });

  describe('whose client waits for 100 Continue', () => {
    const EXPECT = 'Expect: 100-continue';

    it('is asked for once the head has passed, and the connection goes on', async () => {
      connection.send(...head('/api/projects', project.length, token(), EXPECT));
      expect((await connection.answer()).status).toBe(100);
      connection.socket.write(project);
      expect((await connection.answer()).status).toBe(201);
      await goesOn(0);
    });

    it.each([
      [401, '/api/projects', 10, []],
      [404, '/api/nowhere', 10, []],
      [413, '/api/ext/bodies', PUBLIC_LIMIT + 1, []],
      [415, '/api/ext/bodies', 10, ['Content-Encoding: gzip']],
    ])('is not asked for where the head is answered with %i', async (status, path, length, headers) => {
      connection.send(...head(path, length, ...headers, EXPECT));
      expect((await connection.answer()).status).toBe(status);
    });

    it('is not asked for where there were too many requests', async () => {
      for (let n = 0; n < LIMIT; n++) await service.http.get('/api/health').expect(200);
      connection.send(...head('/api/ext/bodies', 10, EXPECT));
      expect((await connection.answer()).status).toBe(429);
    });
  });

  it.each([
    ['no host', 'GET /api/health HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['what is no host', 'GET /api/health HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
    ['no host before HTTP/1.1', 'GET /api/health HTTP/1.0\r\n\r\n', 200],
  ])('and its host: %s', async (_, head, status) => {
    connection.socket.write(head);
    const answer = await connection.answer();
    expect(answer.status).toBe(status);
    if (status === 400) expect(JSON.parse(answer.text)).toMatchObject({ statusCode: 400 });
  });

  it('may come with another expectation, which counts for nothing', async () => {
    connection.send(...head('/api/ext/bodies', 2, 'Expect: something'));
    connection.socket.write('{}');
    expect(await connection.answer()).toMatchObject({ status: 200, text: '{"body":{}}' });
  });

  it('may be as large as what is discarded, and is then no reason to close the connection', async () => {
    connection.send(...head('/api/projects', MEGABYTE));
    expect((await connection.answer()).status).toBe(401);
    await goesOn(MEGABYTE);
  });

  it.each([
    ['absent', [], 'null'],
    ['empty', ['Content-Length: 0'], 'null'],
    ['empty JSON', ['Content-Type: application/json', 'Content-Length: 0'], '{}'],
  ])('may be %s', async (_, headers, body) => {
    connection.send('POST /api/ext/bodies HTTP/1.1', 'Host: x', ...headers, '');
    expect(await connection.answer()).toMatchObject({ status: 200, text: `{"body":${body}}` });
  });

  it('that is broken off harms nobody', async () => {
    connection.send(...head('/api/ext/bodies', 1000), '{"a"');
    await new Promise((resolve) => setTimeout(resolve, 50));
    connection.socket.destroy();
    connection = await Connection.to(service);
    await goesOn(0);
  });

  it.each([
    ['GET', 'Content-Type: application/json', '{'],
    ['GET', 'Content-Type: text/plain', 'x'],
    ['GET', 'Content-Encoding: gzip', 'x'],
    ['DELETE', 'Content-Type: application/json', '{'],
  ])('of a %s with %s is not read', async (method, header, body) => {
    connection.send(
      `${method} /api/ext/bodies HTTP/1.1`,
      'Host: x',
      header,
      `Content-Length: ${body.length}`,
      '',
    );
    connection.socket.write(body);
    expect(await connection.answer()).toMatchObject({ status: 200, text: '{"body":null}' });
    await goesOn(0);
  });

  it.each([
    ['identity', 200],
    ['Identity', 200],
    ['', 200],
    ['gzip', 415],
    ['deflate', 415],
    ['br', 415],
    ['identity, gzip', 415],
  ])('with the encoding "%s" is a %i', async (encoding, status) => {
    connection.send(...head('/api/ext/bodies', 2, `Content-Encoding: ${encoding}`));
    connection.socket.write('{}');
    expect((await connection.answer()).status).toBe(status);
    await goesOn(0);
  });

  describe('where anybody may call', () => {
    const ofSize = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

    it('may have 16 KB and not a byte more', async () => {
      connection.send(...head('/api/ext/bodies', PUBLIC_LIMIT));
      connection.socket.write(ofSize(PUBLIC_LIMIT));
      expect((await connection.answer()).status).toBe(200);
      connection.send(...head('/api/ext/bodies', PUBLIC_LIMIT + 1));
      expect(await connection.answer()).toMatchObject({
        status: 413,
        text: '{"error":"请求体过大","statusCode":413}',
      });
      await goesOn(PUBLIC_LIMIT + 1);
    });

    it.each([
      [PUBLIC_LIMIT, 200],
      [PUBLIC_LIMIT + 1, 413],
    ])('counts %i bytes that nobody announced: %i', async (bytes, status) => {
      const [first, second] = [ofSize(bytes).slice(0, 100), ofSize(bytes).slice(100)];
      connection.send('POST /api/ext/bodies HTTP/1.1', 'Host: x', 'Content-Type: application/json');
      connection.send('Transfer-Encoding: chunked', '', '64', first, second.length.toString(16), second);
      if (status === 200) connection.send('0', '');
      expect((await connection.answer()).status).toBe(status);
      if (status === 413) connection.send('0', '');
      await goesOn(0);
    });
  });

  describe('that nobody reads', () => {
    /** What leads to an answer while the body is on its way, and that answer. */
    const refused: [string, number, string, () => string[]][] = [
      ['without a token', 401, 'POST /api/projects', () => []],
      ['where no route takes it', 404, 'POST /api/nowhere', () => []],
      ['in a form not taken', 415, 'POST /api/projects', () => [token(), 'Content-Type: text/plain']],
      ['compressed', 415, 'POST /api/projects', () => [token(), 'Content-Encoding: gzip']],
      ['of a GET', 200, 'GET /api/ext/bodies', () => []],
      ['too large', 413, 'POST /api/projects', () => [token(), 'Content-Type: application/json']],
    ];

    /** Sends for as long as anybody takes it. */
    const sendOn = ({ socket }: Connection, text: string) => {
      const more = () => {
        while (!socket.destroyed && socket.writable && socket.write(text));
      };
      socket.on('drain', more);
      more();
    };

    const fakeTimeouts = () => {
      const others = ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'] as const;
      jest.useFakeTimers({ doNotFake: [...others, 'setInterval', 'clearInterval', 'Date', 'hrtime'] });
    };
    afterEach(() => {
      jest.useRealTimers();
    });
    const turns = async () => {
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    };

    it.each(refused)('%s, without an end: %i is read, little is taken', async (_, status, line, headers) => {
      fakeTimeouts();
      connection.send(`${line} HTTP/1.1`, 'Host: x', ...headers(), 'Transfer-Encoding: chunked', '');
      const gone = once(connection.accepted, 'close');
      sendOn(connection, `10000\r\n${'x'.repeat(65_536)}\r\n`);
      expect((await connection.answer()).status).toBe(status);
      await turns();
      jest.advanceTimersByTime(DRAIN_TIMEOUT_MS);
      await gone;
      // Twice a megabyte for the 413: what was read of it, and what was discarded. The rest are buffers.
      expect(connection.accepted.bytesRead).toBeLessThan((status === 413 ? 2 : 1) * MEGABYTE + 300_000);
    });

    it.each(refused)('%s, sent before anything is read: %i is not lost', async (_, status, line, headers) => {
      connection.socket.pause();
      connection.send(`${line} HTTP/1.1`, 'Host: x', ...headers(), 'Content-Length: 2000000', '');
      const sent = new Promise((resolve) => connection.socket.write('x'.repeat(2_000_000), resolve));
      await sent;
      connection.socket.resume();
      expect((await connection.answer()).status).toBe(status);
      // Closed from the other side, in order and not by a reset.
      if (!connection.socket.readableEnded) await once(connection.socket, 'end');
    });

    it('is announced as too much: the answer says that the connection ends', async () => {
      const says = async (length: number) => {
        connection.send(...head('/api/nowhere', length));
        return (await connection.answer()).connection;
      };
      expect(await says(MEGABYTE)).toBe('keep-alive');
      await goesOn(MEGABYTE);
      expect(await says(MEGABYTE + 1)).toBe('close');
    });

    it.each([[[]], [['Connection: close']]])(
      'and does not come: the connection is given up, but not before its time (%j)',
      async (headers) => {
        fakeTimeouts();
        connection.send(...head('/api/projects', 1000, ...headers));
        expect((await connection.answer()).status).toBe(401);
        await turns();
        jest.advanceTimersByTime(DRAIN_TIMEOUT_MS - 1);
        await turns();
        expect(connection.accepted.destroyed).toBe(false);
        const gone = once(connection.accepted, 'close');
        jest.advanceTimersByTime(1);
        await gone;
      },
    );

    it('drop by drop, nor is the answer read in time: the connection is given up when it is', async () => {
      fakeTimeouts();
      connection.socket.pause();
      const gone = once(connection.accepted, 'close');
      connection.send('GET /api/ext/bodies/large HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', '');
      const drops = setInterval(() => connection.send('1', 'x'), 50);
      connection.socket.once('close', () => clearInterval(drops));
      while (connection.accepted.writableLength === 0) await new Promise(setImmediate);
      jest.advanceTimersByTime(2 * DRAIN_TIMEOUT_MS);
      await turns();
      expect(connection.accepted.destroyed).toBe(false);
      connection.socket.resume();
      const all = once(connection.accepted, 'drain');
      await all;
      await turns();
      jest.advanceTimersByTime(DRAIN_TIMEOUT_MS);
      await gone;
    });

    it('leaves nothing behind on a connection that goes on', async () => {
      const refuseOne = async () => {
        connection.send(...head('/api/projects', 1000));
        expect((await connection.answer()).status).toBe(401);
        await goesOn(1000);
        return connection.accepted.listenerCount('close');
      };
      const after = await refuseOne();
      clock.advance(10 * MINUTE);
      expect(await refuseOne()).toBe(after);
    });

    it('ends what its sender wants ended, without waiting', async () => {
      connection.send(...head('/api/projects', 1000, 'Connection: close'));
      expect((await connection.answer()).status).toBe(401);
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
      try {
        const gone = once(connection.accepted, 'close');
        connection.socket.write('x'.repeat(1000));
        await gone;
      } finally {
        jest.useRealTimers();
      }
    });
  });
});
