import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { unlessGone } from './first-requests';

describe('unlessGone', () => {
  let server: Server;
  let seen: string[];
  let handled: string[];
  let atOnce: boolean[];

  beforeEach(async () => {
    [seen, handled, atOnce] = [[], [], []];
    server = createServer((request, response) => {
      seen.push(request.url!);
      let now = true;
      unlessGone(request, () => {
        handled.push(request.url!);
        atOnce.push(now);
        response.end();
      });
      now = false;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const send = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise(setImmediate);
  };

  it('handles what comes on a connection that stays, at once from the second request on', async () => {
    const socket = await open();
    for (const path of ['/a', '/b', '/c']) {
      send(socket, path);
      await until(() => handled.includes(path));
    }
    expect(handled).toEqual(['/a', '/b', '/c']);
    expect(atOnce).toEqual([false, true, true]);
    socket.destroy();
  });

  it('does nothing for a client that has sent a request and left', async () => {
    const accepted = once(server, 'connection');
    const socket = await open();
    const [connection] = (await accepted) as [Socket];
    // Both have come before the server looks again.
    connection.pause();
    send(socket, '/left');
    await new Promise((resolve) => socket.write('', resolve));
    socket.destroy();
    await once(socket, 'close');
    connection.resume();
    await until(() => connection.destroyed);
    for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
    expect(seen).toEqual(['/left']);
    expect(handled).toEqual([]);
    const other = await open();
    send(other, '/stays');
    await until(() => handled.length > 0);
    expect(handled).toEqual(['/stays']);
    other.destroy();
  });
});
