import { once } from 'node:events';
import { Agent, createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { render, text } from '../../src/platform/texts/text';
import { bootApp } from '../support/app';
import { checkNginx, NGINX, ourSettings, startNginx, startOurNginx } from '../support/nginx';
import { freePort } from '../support/programs';

jest.setTimeout(120_000);

const describeBehind = NGINX === undefined ? undefined : describe;
const describeWithout = NGINX === undefined ? describe : undefined;

describeWithout?.('Behind nginx', () => {
  it('nothing was tried: it takes an installed nginx, which CI has', () => {
    expect(process.env.CI).toBeUndefined();
  });
});

/** Requests that may not be sent twice: nginx repeats a GET by itself, and nobody sees that it had to. */
function post(port: number, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, agent, method: 'POST', path: '/api/auth/login' },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      },
    );
    sent.on('error', reject).setHeader('Content-Type', 'application/json').end('{}');
  });
}

/** A way between two machines, long enough for a busy one: what closes a connection is told late. */
const WAY_MS = 150;

async function startDistance(port: number): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  const carry = (from: Socket, to: Socket) => {
    open.add(from);
    from.on('data', (data) => setTimeout(() => to.write(data), WAY_MS));
    from.on('close', () => setTimeout(() => to.destroy(), WAY_MS)).on('error', () => undefined);
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/**
 * How often nginx answered 502 to requests that came just when the service closes connections that have been
 * idle for so long.
 */
async function badGateways(keepAliveSeconds: number, idleMs: number): Promise<number> {
  const service = await bootApp({ settings: { KEEP_ALIVE_TIMEOUT: String(keepAliveSeconds) } });
  const { port: own } = service.app.getHttpServer().address() as AddressInfo;
  const distance = await startDistance(own);
  const nginx = await startNginx([distance.port]);
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const statuses: (number | undefined)[] = [];
  // All at once, each on a connection of its own: nginx takes the one that was used last.
  const batch = () =>
    Promise.all(Array.from({ length: 50 }, async () => statuses.push(await post(nginx.port, agent))));
  try {
    await batch();
    for (let round = 0; round < 2; round += 1) {
      await pause(idleMs);
      await batch();
    }
  } finally {
    agent.destroy();
    await nginx.close();
    distance.close();
    await service.close();
  }
  const others = statuses.filter((status) => status !== 400 && status !== 502);
  expect(others).toEqual([]);
  return statuses.filter((status) => status === 502).length;
}

describeBehind?.('Behind nginx', () => {
  /** When a service with KEEP_ALIVE_TIMEOUT=1 really closes: versions of Node add another time. */
  let closedAfter: number;
  beforeAll(async () => {
    const server = createHttpServer((_, response) => response.end());
    server.keepAliveTimeout = 1000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
    const answered = performance.now();
    await once(client, 'close');
    closedAfter = performance.now() - answered;
    server.close();
  });

  it('a time of idle connections below the proxy’s gives 502', async () => {
    expect(await badGateways(1, closedAfter - WAY_MS)).toBeGreaterThan(0);
  });

  it('takes the configuration of docker/', () => {
    expect(checkNginx(ourSettings([3001, 3002], 8080))).toMatch(/syntax is ok[^]*test is successful/);
  });

  it('what an instance that is gone did not answer is 503 in the service’s form', async () => {
    const nobody = await freePort();
    const nginx = await startOurNginx([nobody]);
    try {
      const answer = await fetch(`http://127.0.0.1:${nginx.port}/api/projects`, { method: 'POST' });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.headers.get('x-error-code')).toBe('server.unhealthy');
      expect(await answer.json()).toEqual({
        error: render(text('server.unhealthy')),
        statusCode: 503,
      });
    } finally {
      await nginx.close();
    }
  });

  it('the default gives none', async () => {
    expect(await badGateways(65, closedAfter - WAY_MS)).toBe(0);
  });
});
