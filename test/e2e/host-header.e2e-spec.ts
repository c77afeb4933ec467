import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Clock } from '../../src/common/clock';
import { bootApp, type TestApp } from '../support/app';
import { ManualClock } from '../support/clock';

let service: TestApp;
let clock: ManualClock;

beforeAll(async () => {
  clock = new ManualClock();
  service = await bootApp({
    settings: { THROTTLE_LIMIT: '3' },
    adjust: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
});
afterAll(() => service.close());
beforeEach(() => clock.advance(60_000));

/** What is answered to this head, until the service or we close the connection. */
async function ask(...lines: string[]): Promise<string> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (part) => (text += String(part)));
  socket.write([...lines, '', ''].join('\r\n'));
  while (!/\r\n\r\n.*\}$/s.test(text)) await once(socket, 'data');
  if (/connection: close/i.test(text)) await once(socket, 'close');
  socket.destroy();
  return text;
}

const MALFORMED = '{"error":"请求格式错误","statusCode":400}';

it.each([
  ['/api/health', []],
  ['/api/auth/me', []],
  ['/api/nowhere', []],
  ['/api/docs-json', []],
  ['/api/health', ['Host: a', 'Host: b']],
  ['/api/health', ['Host: a', 'host: a']],
  ['/api/auth/me', ['Host: a', 'X: y', 'HOST:']],
  ['/api/health', ['Host: a, b']],
  ['/api/health', ['Host: a b']],
  ['/api/health', ['Host: http://a/']],
  ['/api/health', ['Host: user@a']],
])('%s with the headers %j is 400, and the connection is closed', async (path, headers) => {
  const answer = await ask(`GET ${path} HTTP/1.1`, ...headers);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  expect(answer).toMatch(/\r\nX-Error-Code: request\.malformed\r\n/i);
  expect(answer).toMatch(/\r\nX-Request-Id: [-\w]+\r\n/i);
  expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/i);
  expect(answer.split('\r\n\r\n')[1]).toBe(MALFORMED);
});

it.each([
  ['1.1', ['Host: localhost:3001']],
  ['1.1', ['Host: [2001:db8::1]:80']],
  ['1.1', ['Host: 实验室.local']],
  ['1.1', ['Host:']],
  ['1.1', ['Host: a_b', 'X-Host: c']],
  ['1.0', []],
  ['1.0', ['Host: a']],
])('HTTP/%s with the headers %j is answered', async (version, headers) => {
  expect(await ask(`GET /api/health HTTP/${version}`, ...headers)).toMatch(/^HTTP\/1\.1 200 /);
});

it('counts for the rate limit', async () => {
  for (const path of ['/api/health', '/api/auth/me', '/api/docs-json']) {
    expect(await ask(`GET ${path} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 400 /);
  }
  const refused = await ask('GET /api/health HTTP/1.1');
  expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  expect(refused).toMatch(/\r\nRetry-After: 60\r\n/i);
});
