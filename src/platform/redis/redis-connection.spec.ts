import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnection, reasonOf } from './redis-connection';

const PASSWORD = 'redis-password-9';

describe('the connection to Redis', () => {
  const sockets: Socket[] = [];
  let server: Server;
  let connection: RedisConnection;
  let ready: number;

  /** A server that does so with each connection; `onCommands` is told how many commands have come. */
  async function listen(each: (socket: Socket, onCommands: (told: (count: number) => void) => void) => void) {
    server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      each(socket, (told) =>
        socket.on('data', (data) => told(data.toString('latin1').match(/\*\d+\r\n/g)?.length ?? 0)),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return connectTo((server.address() as AddressInfo).port);
  }

  function connectTo(port: number): RedisConnection {
    ready = 0;
    connection = new RedisConnection(`redis://:${PASSWORD}@127.0.0.1:${port}/1`, () => (ready += 1));
    return connection;
  }

  afterEach(async () => {
    connection.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => (server?.listening ? server.close(resolve) : resolve(undefined)));
  });

  const answering = (socket: Socket, onCommands: (told: (count: number) => void) => void) =>
    onCommands((count) => socket.write('+OK\r\n'.repeat(count)));

  it('is there when it has come to be', async () => {
    const { fault } = await listen(answering).then(async (one) => {
      expect(one.fault).toBe('no connection yet');
      await one.open();
      return one;
    });
    expect(fault).toBeUndefined();
    expect(ready).toBe(1);
  });

  it('that is refused holds no start up, and says why without the address', async () => {
    await listen(() => undefined);
    const { port } = server.address() as AddressInfo;
    connection.close();
    await new Promise((resolve) => server.close(resolve));
    await connectTo(port).open();
    expect(connection.fault).toBe('ECONNREFUSED');
    expect(ready).toBe(0);
  });

  it('whose other side says nothing holds no start up for longer than two seconds', async () => {
    await listen(() => undefined);
    await connection.open();
    // Not one attempt has ended by then.
    expect(connection.fault).toBe('no connection yet');
    expect(sockets).toHaveLength(1);
  });

  it('with a wrong password says so, and does not repeat it', async () => {
    await listen((socket, onCommands) =>
      onCommands((count) => socket.write(`-WRONGPASS invalid ${PASSWORD}\r\n`.repeat(count))),
    );
    await connection.open();
    while (connection.fault === 'no connection yet') await pause(10);
    expect(connection.fault).toBe('WRONGPASS');
  });

  it('is made anew when it is lost, when it is to be, and when it has been silent', async () => {
    let isSilent = false;
    await listen((socket, onCommands) =>
      onCommands((count) => {
        if (!isSilent) socket.write('+OK\r\n'.repeat(count));
      }),
    );
    const anew = async (count: number) => {
      while (ready < count || connection.fault !== undefined) await pause(10);
    };
    await connection.open();
    sockets[0]!.destroy();
    await anew(2);
    // Redis ends the connection of who says QUIT.
    sockets[1]!.on('data', (data) => data.includes('QUIT') && sockets[1]!.end());
    connection.renew();
    await anew(3);
    isSilent = true;
    while (connection.fault === undefined) await pause(10);
    isSilent = false;
    await anew(4);
  });

  it('that has nothing to do stays', async () => {
    await listen(answering);
    await connection.open();
    await pause(6500);
    expect([connection.fault, ready, sockets.length]).toEqual([undefined, 1, 1]);
  });

  it('is tried for as long as it takes, with pauses', async () => {
    await listen((socket) => socket.destroy());
    await connection.open();
    await pause(1500);
    // 50, 100, 200, 400, 800 ms and then a second between them.
    expect(sockets.length).toBeLessThan(10);
    while (sockets.length < 6) await pause(10);
  });

  it('fails what cannot be sent, and keeps nothing for later', async () => {
    await listen(() => undefined);
    const { port } = server.address() as AddressInfo;
    connection.close();
    await new Promise((resolve) => server.close(resolve));
    await connectTo(port).open();
    await expect(connection.client.get('x')).rejects.toThrow();
  });

  it('that is closed while it is made is let go', async () => {
    const one = await listen(answering);
    const opening = one.open();
    one.close();
    await opening;
    while (sockets.length === 0 || !sockets[0]!.destroyed) await pause(10);
    expect(sockets).toHaveLength(1);
  });

  it('that is closed is not made again', async () => {
    await listen(answering);
    await connection.open();
    connection.close();
    connection.close();
    await pause(200);
    expect(connection.fault).toBeDefined();
    expect(sockets).toHaveLength(1);
  });
});

describe('the reason of an error', () => {
  class OddError extends Error {}

  it.each([
    [Object.assign(new Error(PASSWORD), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new Error(`READONLY You can't write against a read only replica: ${PASSWORD}`), 'READONLY'],
    [Object.assign(new Error(`${PASSWORD} x`), { code: PASSWORD }), 'Error'],
    [new OddError(`Get of ${PASSWORD}`), 'OddError'],
    [PASSWORD, 'String'],
    [undefined, 'Object'],
  ])('%p', (error, reason) => expect(reasonOf(error)).toBe(reason));
});
