import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { SharedConnection } from './shared-connection';

/** A connection that answers a statement when the test says so. */
class FakeClient extends EventEmitter {
  readonly sent: string[] = [];
  readonly settle: { answer: () => void; fail: (error: Error) => void }[] = [];
  readonly release = jest.fn();

  query({ text }: { text: string }) {
    this.sent.push(text);
    return new Promise((resolve, reject) => {
      this.settle.push({ answer: () => resolve({ rows: [text] }), fail: reject });
    });
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const clients: FakeClient[] = [];
  const connect = jest.fn(() => {
    const client = new FakeClient();
    clients.push(client);
    return Promise.resolve(client);
  });
  return { connect, clients, shared: new SharedConnection({ connect } as unknown as Pool) };
}

describe('SharedConnection', () => {
  it('sends statements over one connection without waiting, and gives it back after the last', async () => {
    const { shared, clients } = start();
    const answers = ['a', 'b', 'c'].map((text) => shared.query({ text }));
    await turn();

    expect(clients).toHaveLength(1);
    expect(clients[0]!.sent).toEqual(['a', 'b', 'c']);
    clients[0]!.settle[0]!.answer();
    clients[0]!.settle[1]!.answer();
    await turn();
    expect(clients[0]!.release).not.toHaveBeenCalled();
    clients[0]!.settle[2]!.answer();

    expect((await Promise.all(answers)).map(({ rows }) => rows)).toEqual([['a'], ['b'], ['c']]);
    await turn();
    expect(clients[0]!.release).toHaveBeenCalledTimes(1);
    expect(clients[0]!.listenerCount('error')).toBe(0);
  });

  it('borrows anew when there was nothing to do', async () => {
    const { shared, clients } = start();
    for (const text of ['a', 'b']) {
      const answer = shared.query({ text });
      await turn();
      clients.at(-1)!.settle[0]!.answer();
      await answer;
      await turn();
    }
    expect(clients.map(({ sent }) => sent)).toEqual([['a'], ['b']]);
    for (const { release } of clients) expect(release).toHaveBeenCalledTimes(1);
  });

  it('fails what was under way on a connection that broke, and sends the next over another', async () => {
    const { shared, clients } = start();
    const first = shared.query({ text: 'a' });
    const second = shared.query({ text: 'b' });
    await turn();
    const broken = new Error('Connection terminated');
    expect(() => clients[0]!.emit('error', broken)).not.toThrow();
    clients[0]!.settle[0]!.fail(broken);
    await expect(first).rejects.toBe(broken);

    const third = shared.query({ text: 'c' });
    await turn();
    expect(clients[1]!.sent).toEqual(['c']);
    expect(clients[0]!.release).not.toHaveBeenCalled();
    clients[0]!.settle[1]!.fail(broken);
    await expect(second).rejects.toBe(broken);
    clients[1]!.settle[0]!.answer();
    await third;
    await turn();
    for (const { release } of clients) expect(release).toHaveBeenCalledTimes(1);
  });

  it('tells everyone who waited that there is no connection, and tries again for the next', async () => {
    const { shared, connect, clients } = start();
    connect.mockImplementationOnce(() => Promise.reject(new Error('refused')));
    const outcomes = await Promise.allSettled([shared.query({ text: 'a' }), shared.query({ text: 'b' })]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    const next = shared.query({ text: 'c' });
    await turn();
    clients[0]!.settle[0]!.answer();
    await expect(next).resolves.toEqual({ rows: ['c'] });
  });
});
