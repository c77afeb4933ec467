import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { isClosed, onceClosed } from './answer-closed';

describe('the close of answers on one connection', () => {
  let server: Server;
  let client: Socket;
  let first: ServerResponse;
  let second: ServerResponse;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).resume();
    const answers: ServerResponse[] = [];
    const both = new Promise<void>((resolve) =>
      server.on('request', (_, response) => answers.push(response) === 2 && resolve()),
    );
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
    await both;
    [first, second] = answers as [ServerResponse, ServerResponse];
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  it('is told of one that waits behind another', async () => {
    const closed = jest.fn();
    onceClosed(second, closed);
    expect(isClosed(second)).toBe(false);
    client.destroy();
    await once(second, 'close');
    expect(isClosed(second)).toBe(true);
    expect(closed.mock.contexts).toEqual([second]);
  });

  it('is told once of one whose turn has come since', async () => {
    const closed = jest.fn();
    onceClosed(second, closed);
    const { socket } = first;
    first.end();
    second.write('begun');
    while (second.socket === null) await new Promise(setImmediate);
    client.destroy();
    await new Promise((resolve) => socket!.once('close', resolve));
    await new Promise(setImmediate);
    expect(closed).toHaveBeenCalledTimes(1);
  });
});
