import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Controller, Get, type INestApplication, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { concat, NEVER, Observable, of, throwError } from 'rxjs';
import supertest from 'supertest';
import {
  EventStream,
  EventStreamInterceptor,
  StreamPatience,
  StreamsEvents,
  type StreamMessage,
} from './event-stream';

interface Note extends StreamMessage {
  readonly text: string;
}

const note = (text: string): Note => ({ type: 'note', text });

/** Far more than the buffers of a local connection hold. */
const HUGE = 'x'.repeat(64 * 1024 * 1024);

let subscribed = 0;
let left: Promise<void>;

@Controller()
class StreamsController {
  @Post('two')
  @StreamsEvents()
  two() {
    return new EventStream(of(note('line\nbreak'), note('数据')));
  }

  @Post('plain')
  @StreamsEvents()
  plain() {
    return { plain: true };
  }

  @Post('broken')
  @StreamsEvents()
  broken() {
    return new EventStream(
      concat(
        of(note('first')),
        throwError(() => new Error('secret detail')),
      ),
    );
  }

  @Post('never')
  @StreamsEvents()
  never() {
    return new EventStream(watched(concat(of(note('first')), NEVER)));
  }

  @Get('huge')
  @StreamsEvents()
  huge() {
    return new EventStream(watched(concat(of(note(HUGE)), NEVER)));
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

describe('EventStreamInterceptor', () => {
  let app: INestApplication;
  let http: ReturnType<typeof supertest>;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      controllers: [StreamsController],
      providers: [EventStreamInterceptor, { provide: StreamPatience, useValue: new StreamPatience(200) }],
    }).compile();
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

  it('leaves an answer that is no stream alone', async () => {
    const response = await http.post('/plain').expect(200);
    expect(response.body).toEqual({ plain: true });
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

  it('disconnects a reader that takes nothing of what waits for it', async () => {
    const before = subscribed;
    const socket = await open('GET', '/huge');
    socket.on('error', () => undefined);
    socket.pause();
    while (subscribed === before) await new Promise((resolve) => setTimeout(resolve, 5));
    await left;
    expect(socket.bytesRead).toBeLessThan(HUGE.length);
    socket.destroy();
  });

  it('does not disconnect a reader who takes everything, however long the stream is silent', async () => {
    const socket = await open('POST', '/never');
    await once(socket, 'data');
    let closed = false;
    socket.once('close', () => (closed = true));
    socket.resume();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(closed).toBe(false);
    socket.destroy();
    await left;
  });
});
