import { type AddressInfo, connect } from 'node:net';
import { Controller, Get, Logger, Module, Param } from '@nestjs/common';
import { map, of, timer } from 'rxjs';
import { AppModule } from '../../src/app.module';
import { Public } from '../../src/platform/http/route-decorators';
import { streamOpened, StreamsEvents } from '../../src/platform/sse/event-stream.interceptor';
import { parseEnvironment } from '../../src/platform/config/environment';
import { ServiceLogger } from '../../src/platform/server/service-logger';
import { UUID } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';

/** Waits for everybody who is expected, then goes on. */
let meet: () => Promise<void> = () => Promise.resolve();

@Public()
@Controller('ext/logging')
class LoggingController {
  private readonly logger = new Logger('Logging');

  @Get('twice/:text')
  async twice(@Param('text') text: string) {
    this.logger.log(`${text} before`);
    await meet();
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.logger.log(`${text} after`);
    return { text };
  }

  @Get('stream/:text')
  @StreamsEvents()
  stream(@Param('text') text: string) {
    return timer(1).pipe(
      map(() => {
        this.logger.log(`${text} streamed`);
        return { type: 'note' };
      }),
      streamOpened(),
    );
  }

  @Get('error')
  error(): never {
    throw new Error('unforeseen');
  }

  @Get('open')
  @StreamsEvents()
  open() {
    return of({ type: 'note' }).pipe(streamOpened());
  }
}

@Module({ controllers: [LoggingController] })
class LoggingModule {}

interface LogLine {
  msg: string;
  requestId?: string;
}

describe('Request ids', () => {
  const lines: LogLine[] = [];
  const logger = ServiceLogger.for(parseEnvironment({ NODE_ENV: 'test', LOG_LEVEL: 'info' }), {
    write: (line) => void lines.push(JSON.parse(line) as LogLine),
  });
  let service: TestApp;
  let user: Account;

  beforeAll(async () => {
    service = await bootApp({
      module: { imports: [AppModule.register({ extensions: [LoggingModule] })] },
      settings: { CORS_ORIGIN: 'https://lab.example', THROTTLE_LIMIT: '1000' },
    });
    user = await service.register();
  });
  afterAll(() => service.close());
  beforeEach(() => {
    // Nest has one logger for the process: that of the application that was made last.
    service.app.useLogger(logger);
    lines.splice(0);
  });

  const idsOf = (text: string) =>
    lines.filter(({ msg }) => msg.startsWith(text)).map((line) => line.requestId);

  it.each([
    ['an answer', 200, () => service.http.get('/api/health')],
    ['a list', 200, () => user.get('/api/projects')],
    ['a creation', 201, () => user.post('/api/projects', { name: '项目' })],
    ['an event stream', 200, () => service.http.get('/api/ext/logging/open')],
    ['the API page', 200, () => service.http.get('/api/docs/')],
    ['the API document', 200, () => service.http.get('/api/docs-json')],
    [
      'a CORS preflight',
      204,
      () => service.http.options('/api/projects').set('Origin', 'https://lab.example'),
    ],
    ['broken JSON', 400, () => user.post('/api/projects').type('json').send('{')],
    ['a path that cannot be decoded', 400, () => service.http.get('/api/projects/%')],
    ['no token', 401, () => service.http.get('/api/projects')],
    ['an unknown route', 404, () => service.http.get('/nowhere')],
    ['too large a body', 413, () => user.post('/api/projects', { name: 'x'.repeat(1024 * 1024) })],
    ['a body that is no JSON', 415, () => user.post('/api/projects').type('text').send('x')],
    ['an unforeseen error', 500, () => service.http.get('/api/ext/logging/error')],
  ])('%s has one, its own or the caller’s', async (_, status, send) => {
    const own = await send();
    expect({ status: own.status, id: own.headers['x-request-id'] }).toEqual({
      status,
      id: expect.stringMatching(UUID),
    });
    expect((await send()).headers['x-request-id']).not.toBe(own.headers['x-request-id']);
    const named = await send().set('X-Request-Id', 'trace-1_a.B');
    expect(named.headers['x-request-id']).toBe('trace-1_a.B');
  });

  it('too many requests have one', async () => {
    const limited = await bootApp({ settings: { THROTTLE_LIMIT: '1' } });
    try {
      await limited.http.get('/api/health').expect(200);
      for (const path of ['/api/health', '/nowhere']) {
        const { headers } = await limited.http.get(path).set('X-Request-Id', 'mine').expect(429);
        expect(headers['x-request-id']).toBe('mine');
      }
    } finally {
      await limited.close();
    }
  });

  it('are kept when another application of the process ends meanwhile', async () => {
    const other = await bootApp();
    service.app.useLogger(logger);
    meet = () => other.close();
    await service.http.get('/api/ext/logging/twice/kept').set('X-Request-Id', 'mine').expect(200);
    expect(idsOf('kept')).toEqual(['mine', 'mine']);
  });

  it('what is no HTTP gets one as well', async () => {
    const socket = connect((service.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.write('GET /api/成分 HTTP/1.1\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  });

  it.each(['', 'a b', '{"level":"fatal"}', 'ü', 'x'.repeat(65), 'a,b', '../x/'])(
    '%j is replaced',
    async (sent) => {
      const header = Buffer.from(sent).toString('latin1');
      const { headers } = await service.http.get('/api/health').set('X-Request-Id', header);
      expect(headers['x-request-id']).toMatch(UUID);
    },
  );

  it('of 64 characters is taken over', async () => {
    const longest = 'x'.repeat(64);
    const { headers } = await service.http.get('/api/health').set('X-Request-Id', longest);
    expect(headers['x-request-id']).toBe(longest);
  });

  it('may be read by pages of other origins, as every header of ours', async () => {
    const { headers } = await service.http.get('/api/health').set('Origin', 'https://lab.example');
    expect(headers['access-control-expose-headers']?.split(',').toSorted()).toEqual([
      'Content-Disposition',
      'ETag',
      'Retry-After',
      'X-AI-Notes',
      'X-AI-Source',
      'X-Duplicate-Of',
      'X-Error-Code',
      'X-Ignored-Fields',
      'X-Ignored-Parameters',
      'X-Percent-Total',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-Request-Id',
      'X-Unread-Lines',
    ]);
  });

  it('are in every log line of their request, and of no other one at the same time', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `request-${n}`);
    let arrived = 0;
    let release!: () => void;
    const everybody = new Promise<void>((resolve) => (release = resolve));
    meet = () => {
      if (++arrived === names.length) release();
      return everybody;
    };
    const get = (name: string) =>
      service.http.get(`/api/ext/logging/twice/${name}.`).set('X-Request-Id', name);
    await Promise.all(names.map((name) => get(name).expect(200)));
    for (const name of names) expect(idsOf(`${name}.`)).toEqual([name, name]);
  });

  it('are in log lines that are written while a stream is open', async () => {
    const get = (name: string) =>
      service.http.get(`/api/ext/logging/stream/${name}.`).set('X-Request-Id', name);
    await Promise.all(['one', 'two'].map((name) => get(name).buffer(true).expect(200)));
    for (const name of ['one', 'two']) expect(idsOf(`${name}.`)).toEqual([name]);
  });

  it('are in the log line of an error that the answer does not explain', async () => {
    const { headers } = await service.http.get('/api/ext/logging/error').expect(500);
    expect(idsOf('Unexpected error')).toEqual([headers['x-request-id']]);
  });

  it('are in no log line outside of requests', () => {
    new Logger('Elsewhere').log('outside');
    expect(lines).toEqual([expect.objectContaining({ msg: 'outside' })]);
    expect(lines[0]).not.toHaveProperty('requestId');
  });
});
