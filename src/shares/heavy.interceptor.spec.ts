import { EventEmitter } from 'node:events';
import { type ExecutionContext, StreamableFile } from '@nestjs/common';
import { from } from 'rxjs';
import { RouteMetadata } from '../common/http/route-metadata';
import { Clock } from '../common/clock';
import { parseEnvironment } from '../environment/environment';
import { Heavy } from './heavy.decorator';
import { HeavyInterceptor } from './heavy.interceptor';
import { HeavyWork } from './heavy-work';

class Handlers {
  @Heavy('ai')
  handle(this: void) {
    return undefined;
  }
}

const settle = () => new Promise(setImmediate);

describe('a heavy request', () => {
  let work: HeavyWork;
  let answer: EventEmitter & { closed: boolean };
  const handler = jest.fn<Promise<unknown>, []>();

  const ask = () => {
    const http = { getRequest: () => ({ ip: '10.0.0.1' }), getResponse: () => answer };
    const context = {
      getHandler: () => Handlers.prototype.handle,
      getClass: () => Handlers,
      switchToHttp: () => http,
    } as unknown as ExecutionContext;
    const interceptor = new HeavyInterceptor(work, new RouteMetadata());
    return interceptor.intercept(context, { handle: () => from(handler()) }).subscribe();
  };

  beforeEach(() => {
    work = new HeavyWork(parseEnvironment({ NODE_ENV: 'test' }), new Clock());
    const socket = { destroyed: false };
    answer = Object.assign(new EventEmitter(), { socket, req: { socket }, closed: false, destroyed: false });
    handler.mockReset().mockResolvedValue(undefined);
  });

  it('has a turn until its handler has ended', async () => {
    let end!: () => void;
    handler.mockReturnValue(new Promise<void>((resolve) => (end = resolve)));
    ask();
    await settle();
    expect(work.turnsOf('ai').size).toBe(1);
    end();
    await settle();
    expect(work.turnsOf('ai').size).toBe(0);
  });

  it('that is given up as its turn comes keeps no turn, and is not handled', async () => {
    ask().unsubscribe();
    await settle();
    expect(handler).not.toHaveBeenCalled();
    expect(work.turnsOf('ai').size).toBe(0);
  });

  it('answered by a stream has a turn until its answer has closed', async () => {
    handler.mockResolvedValue(new StreamableFile(Buffer.of()));
    ask();
    await settle();
    expect(work.turnsOf('ai').size).toBe(1);
    answer.emit('close');
    expect(work.turnsOf('ai').size).toBe(0);
  });

  it('answered by a stream that nobody takes any more keeps no turn', async () => {
    handler.mockImplementation(() => {
      answer.closed = true;
      return Promise.resolve(new StreamableFile(Buffer.of()));
    });
    ask();
    await settle();
    expect(work.turnsOf('ai').size).toBe(0);
  });
});
