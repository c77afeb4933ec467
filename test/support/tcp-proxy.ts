import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A cable to a server on which happens what happens to networks. */
export interface TcpProxy {
  /** The server's address by way of the proxy. */
  url: string;
  /** From now on the connections that are open carry nothing any more, as after a failover; new ones do. */
  silence(): void;
  /** New ones carry nothing either, until it is healed; those that fell silent stay so. */
  cut(): void;
  heal(): void;
  /** Nothing gets through; what is sent meanwhile arrives after the thaw. */
  freeze(): void;
  thaw(): void;
  /** Ends the open connections. */
  sever(): void;
  /** Resolves at the moment when a statement that writes has been sent to the server. */
  writing(): Promise<void>;
  close(): Promise<void>;
}

/** The service's writes have names, and are transactions of one statement. */
const WRITE = /\b(formulas[.](create|revise)|INSERT INTO)\b/;

const nothing = () => undefined;

/** What is sent is read and thrown away. */
const swallow = (socket: Socket) => socket.unpipe().removeAllListeners('end').resume();

export async function startTcpProxy(server: string): Promise<TcpProxy> {
  const target = new URL(server);
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let isCut = false;
  let isFrozen = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', nothing).once('close', () => sockets.delete(socket));
  };
  const carry = (near: Socket, far: Socket) => {
    near.pipe(far);
    far.pipe(near);
  };
  /** Those that carry something: each client's, and the server's. */
  const pairs = new Map<Socket, Socket>();
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    if (isCut) return void swallow(near);
    const far = connect({
      port: Number(target.port || 5432),
      host: target.hostname,
      allowHalfOpen: true,
    });
    keep(far);
    // One that breaks off takes the other with it; a good end is carried like data.
    near.once('close', () => pairs.delete(near) && far.destroy());
    far.once('close', () => pairs.has(near) && near.destroy());
    pairs.set(near, far);
    if (!isFrozen) carry(near, far);
    near.on('data', (data: Buffer) => {
      if (waiting.length === 0 || !WRITE.test(data.toString('latin1'))) return;
      for (const resolve of waiting.splice(0)) resolve();
    });
    if (isFrozen) near.pause();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  const silence = () => {
    pairs.clear();
    sockets.forEach(swallow);
  };
  return {
    url: url.toString(),
    silence,
    cut: () => {
      isCut = true;
      silence();
    },
    heal: () => (isCut = false),
    freeze: () => {
      isFrozen = true;
      for (const [near, far] of pairs) for (const socket of [near, far]) socket.unpipe().pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const [near, far] of pairs) carry(near, far);
    },
    sever: () => {
      for (const socket of sockets) socket.destroy();
    },
    writing: () => new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
