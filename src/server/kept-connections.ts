import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections from which on idle ones are kept for a short time only. */
const MANY = 1000;

/** How long an idle connection is kept where there are many, in seconds. */
const SHORT = 5;

/**
 * Whole seconds are announced, and the connection is closed so much later, in milliseconds: a client stops
 * using it before. Node before 20.20 and 22.19 closes at the announced time, and a request on its way is
 * lost.
 */
const AFTER_ANNOUNCED = 900;

/**
 * How long a connection that waits for its next request is kept: longer than a proxy in front keeps it, which
 * else sends a request on one that is just being closed, and answers 502. An idle connection costs a file
 * and some memory, and anybody may open some: while there are many, those whose answer leaves now are kept
 * for five seconds at most.
 * @param seconds the setting
 */
export function keepConnections(server: Server, seconds: number, many = MANY): void {
  let open = 0;
  const adapt = () => {
    const kept = open > many ? Math.min(seconds, SHORT) : seconds;
    server.keepAliveTimeout = kept * 1000 + AFTER_ANNOUNCED;
  };
  adapt();
  server.on('connection', (socket: Socket) => {
    open += 1;
    if (open === many + 1) adapt();
    socket.once('close', () => {
      open -= 1;
      if (open === many) adapt();
    });
  });
}
