import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Controller, HttpCode, Module, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AppModule } from '../../src/app.module';
import { Clock } from '../../src/common/clock';
import { Public } from '../../src/common/http/public.decorator';
import { type Account, bootApp, type TestApp } from '../support/app';
import { ManualClock } from '../support/clock';

/*
 * When a body is read: after the rate limit and the token check, never before. Whoever is refused there is
 * answered while the body is still on its way, and the connection stays usable.
 */

@Public()
@Controller('bodies')
class BodiesController {
  @Post()
  @HttpCode(200)
  body(@Req() request: Request) {
    return { body: (request.body as unknown) ?? null };
  }
}

@Module({ controllers: [BodiesController] })
class BodiesModule {}

const LIMIT = 3;
const MINUTE = 60_000;

/** A connection on which requests go out in parts, and answers are read one after the other. */
class Connection {
  private received = '';
  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
  }

  static async to({ app }: TestApp): Promise<Connection> {
    const socket = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(...lines: string[]): void {
    this.socket.write(lines.map((line) => `${line}\r\n`).join(''));
  }

  /** The next answer: its status and its body's text. */
  async answer(): Promise<{ status: number; text: string }> {
    for (;;) {
      const [head = '', ...rest] = this.received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      const body = Buffer.from(rest.join('\r\n\r\n'));
      if (rest.length > 0 && body.length >= length) {
        this.received = body.toString('utf8', length);
        return { status: Number(head.slice(9, 12)), text: body.toString('utf8', 0, length) };
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
    connection.send('GET /api/health HTTP/1.1', 'Host: x', token(), '');
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
    const next = head('/api/bodies', 7).join('\r\n');
    connection.socket.write(
      `${head('/api/bodies', project.length).join('\r\n')}\r\n${project}${next}\r\n{"b":2}`,
    );
    expect(await connection.answer()).toEqual({ status: 200, text: `{"body":${project}}` });
    expect(await connection.answer()).toEqual({ status: 200, text: '{"body":{"b":2}}' });
  });

  it('may be chunked', async () => {
    connection.send('POST /api/bodies HTTP/1.1', 'Host: x', 'Content-Type: application/json');
    connection.send('Transfer-Encoding: chunked', '', '4', '{"a"', '3', ':1}', '0', '');
    expect(await connection.answer()).toEqual({ status: 200, text: '{"body":{"a":1}}' });
  });

  it('that is larger than a megabyte leaves the connection usable', async () => {
    connection.send(...head('/api/bodies', 2_000_000));
    connection.socket.write('x'.repeat(2_000_000));
    expect((await connection.answer()).status).toBe(413);
    await goesOn(0);
  });

  it.each([
    ['absent', [], 'null'],
    ['empty', ['Content-Length: 0'], 'null'],
    ['empty JSON', ['Content-Type: application/json', 'Content-Length: 0'], '{}'],
  ])('may be %s', async (_, headers, body) => {
    connection.send('POST /api/bodies HTTP/1.1', 'Host: x', ...headers, '');
    expect(await connection.answer()).toEqual({ status: 200, text: `{"body":${body}}` });
  });

  it('that is broken off harms nobody', async () => {
    connection.send(...head('/api/bodies', 1000), '{"a"');
    await new Promise((resolve) => setTimeout(resolve, 50));
    connection.socket.destroy();
    connection = await Connection.to(service);
    await goesOn(0);
  });
});
