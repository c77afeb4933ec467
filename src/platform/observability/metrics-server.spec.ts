import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { EnvironmentError } from '../config/environment';
import { MetricsServer } from './metrics-server';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

describe('MetricsServer', () => {
  const metrics = jest.fn<Promise<string>, []>();
  let server: MetricsServer;
  let port: number;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    metrics.mockReset().mockResolvedValue('one 1\n');
    server = new MetricsServer({ contentType: CONTENT_TYPE, metrics });
    port = await server.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  const ask = (path = '/metrics', init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const open = () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    return socket;
  };

  it('answers at the one address that it is given', async () => {
    const answer = await ask('/metrics?name[]=one');
    expect(await answer.text()).toBe('one 1\n');
    expect(answer.headers.get('content-type')).toBe(CONTENT_TYPE);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const elsewhere = connect(port, '127.0.0.2');
    const [error] = (await once(elsewhere, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it.each([
    ['GET', '/', 404],
    ['GET', '/metrics/', 404],
    ['HEAD', '/metrics', 405],
    ['DELETE', '/metrics', 405],
  ])('%s %s is %i', async (method, path, status) => {
    expect((await ask(path, { method })).status).toBe(status);
    expect(metrics).not.toHaveBeenCalled();
  });

  it('says no more than 500 where collecting fails, and tries again', async () => {
    metrics.mockRejectedValueOnce(new Error('at postgres://lab:secret@db'));
    const failed = await ask();
    expect([failed.status, await failed.text()]).toEqual([500, '']);
    expect((await ask()).status).toBe(200);
  });

  it('reads no body: its connection ends behind the answer', async () => {
    const socket = open();
    let text = '';
    socket.on('data', (part: string) => (text += part));
    socket.write('POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1.1 405 [\s\S]*\r\nConnection: close\r\n/);
  });

  it('takes sixteen connections', async () => {
    const first = Array.from({ length: 16 }, open);
    await Promise.all(first.map((socket) => once(socket, 'connect')));
    await once(open(), 'close');
    expect(first.some((socket) => socket.destroyed)).toBe(false);
  });

  it('takes no header beyond 8 KB', async () => {
    expect((await ask('/metrics', { headers: { 'x-long': 'a'.repeat(9000) } })).status).toBe(431);
  });

  it('ends although a collector keeps its connection', async () => {
    const agent = new Agent({ keepAlive: true });
    const kept = request({ port, path: '/metrics', agent }).end();
    const [response] = (await once(kept, 'response')) as [NodeJS.ReadableStream];
    await once(response.resume(), 'end');
    await server.close();
    await expect(ask()).rejects.toThrow();
    agent.destroy();
  });

  it('where it cannot listen, the error names the setting', async () => {
    const second = new MetricsServer({ contentType: CONTENT_TYPE, metrics });
    const listening = second.listen(port, '127.0.0.1');
    await expect(listening).rejects.toThrow(EnvironmentError);
    await expect(listening).rejects.toThrow(
      `METRICS_PORT ${port} cannot be listened on: another program uses`,
    );
    await expect(second.listen(0, '192.0.2.1')).rejects.toThrow(
      /METRICS_PORT 0 cannot be listened on: .*EADDRNOTAVAIL/,
    );
  });
});
