import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type HttpAdapterHost } from '@nestjs/core';
import { ConnectionDraining } from './shutdown';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('ConnectionDraining', () => {
  let server: Server;
  let draining: ConnectionDraining;
  let unanswered: ServerResponse[];
  let client: Socket;
  let clients: Socket[];

  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    socket.on('error', () => undefined);
    clients.push(socket);
    await accepted;
    return socket;
  };
  const request = async (socket: Socket): Promise<ServerResponse> => {
    socket.write(GET);
    await once(server, 'request');
    return unanswered.shift()!;
  };

  /** As Nest does: its hook first, then the server is closed. */
  const stop = async (): Promise<void> => {
    draining.beforeApplicationShutdown();
    const closed = once(server, 'close');
    server.close();
    await closed;
  };

  beforeEach(async () => {
    unanswered = [];
    clients = [];
    // No connection is closed for having been idle: whoever does so here is ConnectionDraining.
    server = createServer({ keepAliveTimeout: 0 }, (_, response) => unanswered.push(response));
    draining = new ConnectionDraining({ httpAdapter: { getHttpServer: () => server } } as HttpAdapterHost);
    draining.onModuleInit();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = await open();
  });
  afterEach(() => {
    for (const socket of clients) socket.destroy();
    server.close();
    server.closeAllConnections();
  });

  it('answers a request in progress before it closes its connection', async () => {
    const response = await request(client);
    const stopped = stop();
    // Several looks at the connections later it is still there.
    await new Promise((resolve) => setTimeout(resolve, 200));
    response.end('complete');
    const [answer] = (await once(client, 'data')) as [string];
    expect(answer).toContain('complete');
    await stopped;
  });

  it('asks who goes on sending requests to leave', async () => {
    const slow = await open();
    const inProgress = await request(slow);
    client.write('GET / HTTP/1.1\r\n');
    const started = once(server, 'request');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = stop();
    client.write('Host: x\r\n\r\n');
    await started;
    unanswered.shift()!.end();
    const [answer] = (await once(client, 'data')) as [string];
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    inProgress.end();
    await stopped;
  });

  it('waits for nobody who has never sent anything', async () => {
    const gone = once(client, 'close');
    client.resume();
    await stop();
    await gone;
  });

  it('does nothing for an application that does not listen, or has no HTTP at all', () => {
    const idle = createServer();
    for (const httpAdapter of [{ getHttpServer: () => idle }, undefined]) {
      const other = new ConnectionDraining({ httpAdapter } as HttpAdapterHost);
      other.onModuleInit();
      other.beforeApplicationShutdown();
    }
    expect(idle.listenerCount('request')).toBe(0);
  });
});
