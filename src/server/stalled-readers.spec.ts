import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { HttpAdapterHost } from '@nestjs/core';
import { StalledReaders } from './stalled-readers';

/** Far more than the buffers of a local connection hold. */
const HUGE = 'x'.repeat(32 * 1024 * 1024);

const LIMIT = 20_000;

describe('StalledReaders', () => {
  let server: Server;
  let readers: StalledReaders;
  let client: Socket;
  let accepted: Socket;
  let response: ServerResponse;

  beforeEach(async () => {
    server = createServer();
    readers = new StalledReaders({ httpAdapter: { getHttpServer: () => server } } as HttpAdapterHost);
    readers.onModuleInit();
    // Swept by hand only.
    readers.beforeApplicationShutdown();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const [connected, requested] = [once(server, 'connection'), once(server, 'request')];
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    [accepted] = (await connected) as [Socket];
    [, response] = (await requested) as [unknown, ServerResponse];
  });
  afterEach(() => {
    client.destroy();
    server.close();
    jest.useRealTimers();
  });

  /** Until the buffers in between hold all that they can. */
  const full = async () => {
    const { _handle: handle } = accepted as unknown as { _handle: { writeQueueSize: number } };
    let before = -1;
    while (before !== handle.writeQueueSize) {
      before = handle.writeQueueSize;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it('disconnects who takes nothing for 20 seconds, and not a moment earlier', async () => {
    response.end(HUGE);
    await full();
    readers.sweep(1000);
    readers.sweep(1000 + LIMIT - 1);
    expect(accepted.destroyed).toBe(false);
    readers.sweep(1000 + LIMIT);
    expect(accepted.destroyed).toBe(true);
  });

  it('is patient with who takes a little each time', async () => {
    response.end(HUGE);
    await full();
    readers.sweep(0);
    client.once('data', () => client.pause());
    client.resume();
    await once(client, 'data');
    // Enough for the other side to notice.
    while (client.bytesRead < 4 * 1024 * 1024) {
      client.once('data', () => client.pause()).resume();
      await once(client, 'data');
    }
    await full();
    readers.sweep(LIMIT);
    readers.sweep(2 * LIMIT - 1);
    expect(accepted.destroyed).toBe(false);
    readers.sweep(2 * LIMIT);
    expect(accepted.destroyed).toBe(true);
  });

  it.each([
    ['an answer that is taken', () => response.end('x')],
    ['an answer that is not made yet', () => undefined],
    ['an event stream, which sees to its readers itself', () => response.write(HUGE)],
  ])('leaves %s alone', async (_, answer) => {
    answer();
    await full();
    for (let time = 0; time < 10; time++) readers.sweep(time * LIMIT);
    expect(accepted.destroyed).toBe(false);
  });

  it('looks each second, and no longer than the service runs', () => {
    jest.useFakeTimers();
    const sweep = jest.spyOn(readers, 'sweep');
    readers.onModuleInit();
    jest.advanceTimersByTime(3000);
    expect(sweep).toHaveBeenCalledTimes(3);
    readers.beforeApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does nothing for an application without HTTP', () => {
    jest.useFakeTimers();
    const other = new StalledReaders({ httpAdapter: undefined } as unknown as HttpAdapterHost);
    other.onModuleInit();
    other.beforeApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });
});
