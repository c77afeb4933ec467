import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A cable to the database that can be cut without anybody being told: what is sent is swallowed. */
export async function startProxy(target) {
  const { hostname, port } = new URL(target);
  const sockets = new Set();
  let isCut = false;
  const keep = (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const swallow = (socket) => socket.unpipe().removeAllListeners('end').resume();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    if (isCut) return swallow(near);
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    keep(far);
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String(server.address().port);
  return {
    url: url.toString(),
    /** The connections that are open fall silent, for ever. */
    silence: () => sockets.forEach(swallow),
    /** So do new ones, until it is healed. */
    cut: () => {
      isCut = true;
      sockets.forEach(swallow);
    },
    heal: () => (isCut = false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
