import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before a server whose connections can fall silent, as after a failover: nothing is closed. */
export interface TcpProxy {
  /** The server's address by way of the proxy. */
  url: string;
  /** From now on the connections that are open carry nothing any more; new ones do. */
  silence(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(server: string): Promise<TcpProxy> {
  const target = new URL(server);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    keep(near);
    keep(far);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.toString(),
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
