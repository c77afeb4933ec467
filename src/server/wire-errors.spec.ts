import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Answers } from './answers';
import { answerWireErrors, wireError } from './wire-errors';

const bodyOf = (answer: string): unknown => JSON.parse(answer.split('\r\n\r\n')[1] ?? '');

describe('wireError', () => {
  it.each([
    ['HPE_INVALID_URL', 400, '请求地址中的中文等字符须用百分号编码'],
    ['HPE_HEADER_OVERFLOW', 431, '请求地址或请求头过长'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, '请求体过大'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, '请求超时'],
    ['HPE_INVALID_METHOD', 400, '请求格式错误'],
    [undefined, 400, '请求格式错误'],
  ])('%s is a %i that says what is wrong', (code, statusCode, error) => {
    const answer = wireError(code, 'id');

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${statusCode} [A-Z]`));
    expect(bodyOf(answer)).toEqual({ error, statusCode });
  });

  it('counts the bytes of its body, not the characters', () => {
    const [head = '', body = ''] = wireError(undefined, 'id').split('\r\n\r\n');

    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  });
});

describe('a connection whose request cannot be read', () => {
  let server: Server;
  let client: Socket;
  let accepted: Socket;
  let received: string;

  beforeEach(async () => {
    server = createServer();
    answerWireErrors(server, new Answers());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connection = once(server, 'connection');
    const { port } = server.address() as AddressInfo;
    // One that does not close its side when the server ends the other.
    client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
    client.on('error', () => undefined);
    received = '';
    client.on('data', (text: string) => (received += text));
    [accepted] = (await connection) as [Socket];
  });
  afterEach(() => {
    jest.useRealTimers();
    client.destroy();
    server.close();
  });

  it('has thirty seconds to send a whole request', () => {
    expect([server.requestTimeout, server.headersTimeout]).toEqual([30_000, 30_000]);
  });

  it('and that is closing behind an answer is left to send it', async () => {
    accepted.end('an answer');
    server.emit('clientError', new Error('garbage'), accepted);
    expect(accepted.destroyed).toBe(false);
    await once(client, 'end');
    expect(received).toBe('an answer');
  });

  const refuse = async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    client.write('no HTTP\r\n\r\n');
    await once(client, 'end');
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  };

  it('is given up two seconds after the answer where the client keeps it open', async () => {
    await refuse();
    jest.advanceTimersByTime(1999);
    expect(accepted.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(accepted.destroyed).toBe(true);
  });

  it('closes at once when the client does, and leaves no timer behind', async () => {
    await refuse();
    const closed = once(accepted, 'close');
    client.end();
    await closed;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is answered once, whatever follows, and takes no more than a megabyte of it', async () => {
    await refuse();
    client.write('x'.repeat(500_000));
    while (accepted.bytesRead < 500_000) await new Promise((resolve) => setImmediate(resolve));
    expect(accepted.destroyed).toBe(false);
    const closed = once(accepted, 'close');
    client.write('x'.repeat(5_000_000));
    await closed;
    expect(accepted.bytesRead).toBeLessThan(1_300_000);
    expect(received.match(/HTTP/g)).toHaveLength(1);
  });

  it('is not cut for what it has carried before', async () => {
    Object.defineProperty(accepted, 'bytesRead', { value: 5_000_000, configurable: true });
    server.emit('clientError', new Error('garbage'), accepted);
    server.emit('clientError', new Error('more garbage'), accepted);
    expect(accepted.destroyed).toBe(false);
    await once(client, 'end');
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('a connection on which a request that cannot be read follows others', () => {
  let server: Server;
  let client: Socket;
  let responses: ServerResponse[];
  let sockets: Socket[];
  let received: string;

  beforeEach(async () => {
    [responses, sockets] = [[], []];
    server = createServer((request, response) => {
      request.resume();
      responses.push(response);
    });
    server.on('connection', (socket) => sockets.push(socket));
    answerWireErrors(server, new Answers());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    client.on('error', () => undefined);
    received = '';
    client.on('data', (text: string) => (received += text));
  });
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const arrived = async (many: number) => {
    while (responses.length < many) await new Promise((resolve) => setImmediate(resolve));
  };
  // Reset or closed: `once` would take a reset for a failure.
  const closing = () => new Promise((resolve) => client.once('close', resolve));
  const aWhile = () => new Promise((resolve) => setTimeout(resolve, 50));
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

  it('answers those first, then says what is wrong, and closes', async () => {
    client.write(`${GET}${GET}no HTTP\r\n\r\n`);
    await arrived(2);
    await aWhile();
    expect(statuses()).toEqual([]);
    responses[1]!.end('second');
    responses[0]!.end('first');
    await once(client, 'end');
    expect(statuses()).toEqual([200, 200, 400]);
    expect(received).toMatch(/first[^]*second/);
  });

  it('says it once, and takes no more than a megabyte while it waits', async () => {
    client.write(`${GET}no HTTP\r\n\r\n`);
    await arrived(1);
    client.write('x'.repeat(500_000));
    await aWhile();
    responses[0]!.end('first');
    await once(client, 'end');
    expect(statuses()).toEqual([200, 400]);
  });

  it('is closed when more comes than that', async () => {
    client.write(`${GET}no HTTP\r\n\r\n`);
    await arrived(1);
    const closed = closing();
    client.write('x'.repeat(5_000_000));
    await closed;
    expect(statuses()).toEqual([]);
  });

  it('says nothing where it only had to wait too long behind them', async () => {
    client.write(`${GET}GET / HT`);
    await arrived(1);
    await aWhile();
    const [connection] = sockets;
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), connection);
    responses[0]!.end('first');
    await once(client, 'end');
    expect(statuses()).toEqual([200]);
  });

  it('leaves a connection to Node that an answer has closed', async () => {
    client.write(`${GET}no HTTP\r\n\r\n`);
    await arrived(1);
    responses[0]!.setHeader('Connection', 'close');
    responses[0]!.end('first');
    await once(client, 'end');
    expect(statuses()).toEqual([200]);
    expect(received).toContain('first');
  });

  it('is refused in place of the answer to a request whose own body it is', async () => {
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n');
    await once(client, 'end');
    expect(statuses()).toEqual([400]);
  });

  it('is closed without a word where that answer has begun', async () => {
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await arrived(1);
    responses[0]!.write('begun');
    await aWhile();
    const closed = closing();
    client.write('no chunk\r\n');
    await closed;
    expect(statuses()).toEqual([200]);
  });
});
