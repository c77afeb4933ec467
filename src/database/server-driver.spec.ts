import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Client } from 'pg';
import { serverDriver } from './server-driver';

describe("A client's end", () => {
  it('closes its connection although the server has vanished and says nothing more', async () => {
    // It takes everything and says nothing, not even that it closes too.
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const driver = serverDriver(undefined, () => undefined);
    const client: Client = new driver.Client({ host: '127.0.0.1', port, user: 'nobody', database: 'none' });
    client.on('error', () => undefined);
    const connected = once(server, 'connection');
    client.connect().catch(() => undefined);
    const [socket] = (await connected) as [Socket];
    socket.resume().on('error', () => undefined);

    const closed = once(server, 'close');
    await client.end();
    server.close();
    socket.destroy();
    await closed;
  });
});
