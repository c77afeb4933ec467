import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onceClosed } from './answer-closed';

describe('an answer that was sent behind another', () => {
  it('closes once, and not again with its connection', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).resume();
    try {
      const answers: ServerResponse[] = [];
      const both = new Promise<void>((resolve) =>
        server.on('request', (_, response) => answers.push(response) === 2 && resolve()),
      );
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
      await both;
      const [first, second] = answers as [ServerResponse, ServerResponse];
      const { socket } = first;
      const closed = jest.fn();
      onceClosed(second, closed);
      second.end();
      first.end();
      await once(second, 'close');
      client.destroy();
      await new Promise((resolve) => socket!.once('close', resolve));
      await new Promise(setImmediate);
      expect(closed).toHaveBeenCalledTimes(1);
    } finally {
      client.destroy();
      server.close();
    }
  });
});
