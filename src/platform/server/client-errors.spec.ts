import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Answers } from './answers';
import { answerClientErrors, refusalText } from './client-errors';
import { limitConnections } from './connection-limits';

const bodyOf = (answer: string): unknown => JSON.parse(answer.split('\r\n\r\n')[1] ?? '');

describe('refusalText', () => {
  it.each([
    ['HPE_INVALID_URL', 400, '请求地址中的中文等字符须用百分号编码'],
    ['HPE_HEADER_OVERFLOW', 431, '请求地址或请求头过长'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, '请求体过大'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, '请求超时'],
    ['HPE_INVALID_METHOD', 400, '请求格式错误'],
    [undefined, 400, '请求格式错误'],
  ])('%s is a %i that says what is wrong', (code, statusCode, error) => {
    const answer = refusalText(code, 'id');

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${statusCode} [A-Z]`));
    expect(bodyOf(answer)).toEqual({ error, statusCode });
  });

  it('counts the bytes of its body, not the characters', () => {
    const [head = '', body = ''] = refusalText(undefined, 'id').split('\r\n\r\n');

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
    limitConnections(server, 65);
    answerClientErrors(server, new Answers());
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

  it('is answered once, whatever follows', async () => {
    await refuse();
    client.write('x'.repeat(500_000));
    while (accepted.bytesRead < 500_000) await new Promise((resolve) => setImmediate(resolve));
    expect(accepted.destroyed).toBe(false);
    expect(received.match(/HTTP/g)).toHaveLength(1);
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
    limitConnections(server, 65);
    answerClientErrors(server, new Answers());
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

  it('waits until an earlier request is answered: the text would be taken for its answer', async () => {
    client.write(`${GET}no HTTP\r\n\r\n`);
    await arrived(1);
    await aWhile();
    expect(statuses()).toEqual([]);
    responses[0]!.end('first');
    await once(client, 'end');
    expect(statuses()).toEqual([200, 400]);
  });

  it('is answered behind the answer to the one before', async () => {
    client.write(GET);
    await arrived(1);
    responses[0]!.end('first');
    await once(client, 'data');
    client.write('no HTTP\r\n\r\n');
    await once(client, 'end');
    expect(statuses()).toEqual([200, 400]);
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
