import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  Controller,
  type ExecutionContext,
  type INestApplication,
  Logger,
  Module,
  NotFoundException,
  Post,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Response } from 'express';
import { concat, lastValueFrom, map, NEVER, Observable, of, throwError, timer } from 'rxjs';
import supertest from 'supertest';
import { CommonModule } from '../common/common.module';
import { EventStreamInterceptor, streamOpened, StreamsEvents } from './event-stream.interceptor';
import { OpenStreams, type StreamMessage } from './open-streams';

interface Note extends StreamMessage {
  readonly text: string;
}

const note = (text: string): Note => ({ type: 'note', text });

let subscribed = 0;
let left: Promise<void>;

@Controller()
class StreamsController {
  @Post('two')
  @StreamsEvents()
  two() {
    return of(note('line\nbreak'), note('数据')).pipe(streamOpened());
  }

  @Post('plain')
  @StreamsEvents()
  plain() {
    return { plain: true };
  }

  @Post('json')
  @StreamsEvents()
  json() {
    return of({ attempt: 1 }, { attempt: 2 });
  }

  @Post('late')
  @StreamsEvents()
  late() {
    return Promise.resolve(of(note('late')).pipe(streamOpened()));
  }

  @Post('missing')
  @StreamsEvents()
  missing() {
    return concat(
      throwError(() => new NotFoundException('none')),
      of(note('never')).pipe(streamOpened()),
    );
  }

  @Post('broken')
  @StreamsEvents()
  broken() {
    return concat(
      of(note('first')),
      throwError(() => new Error('secret detail')),
    ).pipe(streamOpened());
  }

  @Post('silent')
  @StreamsEvents()
  silent() {
    return watched(NEVER).pipe(streamOpened());
  }

  @Post('unanswered')
  @StreamsEvents()
  unanswered() {
    return watched(NEVER);
  }

  @Post('never')
  @StreamsEvents()
  never() {
    return watched(concat(of(note('first')), NEVER)).pipe(streamOpened());
  }
}

/** Resolves `left` when the subscription ends. */
function watched<T>(source: Observable<T>): Observable<T> {
  let leave = (): void => undefined;
  left = new Promise((resolve) => (leave = resolve));
  return new Observable((subscriber) => {
    subscribed += 1;
    const inner = source.subscribe(subscriber);
    return () => {
      inner.unsubscribe();
      leave();
    };
  });
}

/** Knows nothing of what writes its streams. */
@Module({ controllers: [StreamsController] })
class StreamsModule {}

describe('StreamsEvents', () => {
  let app: INestApplication;
  let http: ReturnType<typeof supertest>;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [CommonModule, StreamsModule] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    http = supertest(app.getHttpServer());
  });
  afterAll(() => app.close());

  const open = async (method: string, path: string) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
    return socket;
  };

  it('writes data lines and blank lines, nothing else, with status 200', async () => {
    const response = await http.post('/two').buffer(true).expect(200);
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.text).toBe(
      'data: {"type":"note","text":"line\\nbreak"}\n\ndata: {"type":"note","text":"数据"}\n\n',
    );
  });

  it('tells those on the way to neither store, nor change, nor hold back what it writes', async () => {
    const { headers } = await http.post('/two').buffer(true).expect(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' });
  });

  it('leaves an answer that is no stream alone', async () => {
    const response = await http.post('/plain').expect(200);
    expect(response.body).toEqual({ plain: true });
  });

  it('answers an Observable that opens no stream with its last value, as JSON', async () => {
    const response = await http.post('/json').expect(200);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.body).toEqual({ attempt: 2 });
  });

  it('takes a promise of a stream, too', async () => {
    const { text } = await http.post('/late').buffer(true).expect(200);
    expect(text).toBe('data: {"type":"note","text":"late"}\n\n');
  });

  it('answers what fails before the stream opens with its own status, as JSON', async () => {
    const response = await http.post('/missing').expect(404);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.body.message).toBe('none');
  });

  it('sends the headers before there is anything to say', async () => {
    const socket = await open('POST', '/silent');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1.1 200 OK[\s\S]*text\/event-stream[\s\S]*\r\n\r\n$/);
    socket.destroy();
    await left;
  });

  it('an unforeseen failure is one error message without its details', async () => {
    const { text } = await http.post('/broken').buffer(true).expect(200);
    expect(text).toBe(
      'data: {"type":"note","text":"first"}\n\ndata: {"type":"error","content":"服务器内部错误"}\n\n',
    );
  });

  it('ends the subscription when the client goes away', async () => {
    const socket = await open('POST', '/never');
    await once(socket, 'data');
    socket.destroy();
    await left;
  });

  it.each(['/silent', '/unanswered'])(
    'ends that of %s when the client left before any message',
    async (path) => {
      const before = subscribed;
      const socket = await open('POST', path);
      while (subscribed === before) await new Promise((resolve) => setTimeout(resolve, 5));
      socket.destroy();
      await left;
    },
  );
});

/** As much of a response as a stream asks for. */
const response = () => Object.assign(new PassThrough(), { req: { headers: {} } }) as unknown as Response;

describe('EventStreamInterceptor', () => {
  it('ends the subscription of a client that leaves in the turn in which its stream opens', async () => {
    const interceptor = new EventStreamInterceptor(new OpenStreams());
    const context = { switchToHttp: () => ({ getResponse: response }) } as unknown as ExecutionContext;
    const handler = { handle: () => watched(NEVER).pipe(streamOpened()) };
    interceptor.intercept(context, handler).subscribe().unsubscribe();
    await left;
  });
});

describe('OpenStreams', () => {
  it('forget a stream that has ended', async () => {
    const streams = new OpenStreams();
    const kept = streams as unknown as { streams: Set<unknown> };
    const stream = streams.open(of(note('only')), response());
    expect(kept.streams.size).toBe(1);
    await text(stream);
    await new Promise(setImmediate);
    expect(kept.streams.size).toBe(0);
  });

  it('write what broke one into the log, and only there', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const failure = new Error('secret detail');
    const stream = new OpenStreams().open(
      throwError(() => failure),
      response(),
    );
    expect(await text(stream)).toBe('data: {"type":"error","content":"服务器内部错误"}\n\n');
    expect(error.mock.calls).toEqual([[failure]]);
    error.mockRestore();
  });

  it('have nothing to add to one that has said all, though it is not read yet', async () => {
    const streams = new OpenStreams();
    const stream = streams.open(of(note('only')), response());
    streams.onModuleDestroy();
    expect(await text(stream)).toBe('data: {"type":"note","text":"only"}\n\n');
  });

  const stopping = 'data: {"type":"error","content":"服务正在停止,请稍后重试"}\n\n';

  it('end when the service stops, those that open only then at once', async () => {
    const streams = new OpenStreams();
    const before = streams.open(watched(concat(of(note('first')), NEVER)), response());
    streams.onModuleDestroy();
    await left;
    expect(await text(before)).toBe(`data: {"type":"note","text":"first"}\n\n${stopping}`);

    const after = streams.open(watched(NEVER), response());
    await left;
    expect(await text(after)).toBe(stopping);
  });
});

describe('the callbacks of an Observable', () => {
  const http = { getResponse: () => ({}) };
  const context = { switchToHttp: () => http } as unknown as ExecutionContext;
  const request = new AsyncLocalStorage<string>();
  /** What is handled as a part of a request. */
  const intercepted = <T>(emitted: Observable<T>, take: (answers: Observable<unknown>) => T) =>
    request.run('a', () =>
      take(new EventStreamInterceptor({} as OpenStreams).intercept(context, { handle: () => emitted })),
    );
  it('are part of its request', async () => {
    const inTimer = timer(1).pipe(map(() => request.getStore()));
    expect(await intercepted<unknown>(inTimer, (answers) => lastValueFrom(answers))).toBe('a');
  });
});
