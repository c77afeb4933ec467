import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { dedicatedConnection } from './dedicated-connection';

describe('A dedicated connection', () => {
  it('is made again after each failure, and not after it was closed', async () => {
    const server = createServer((socket: Socket) => socket.on('error', () => undefined).destroy());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const { port } = server.address() as AddressInfo;
    const connection = dedicatedConnection(`postgres://nobody@127.0.0.1:${port}/none`, 'test');
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(connection.query('SELECT 1')).rejects.toThrow('Connection terminated');
      expect(connections).toBe(attempt);
    }
    await connection.end();
    server.close();
    await once(server, 'close');
  });

  it('gives up a server that says nothing', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket: Socket) => sockets.push(socket.on('error', () => undefined)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = dedicatedConnection(`postgres://nobody@127.0.0.1:${port}/none`, 'test');
    await expect(connection.query('SELECT 1')).rejects.toThrow('timeout');
    await connection.end();
    server.close();
    for (const socket of sockets) socket.destroy();
  });
});
