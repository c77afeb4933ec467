import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { LargeBodies } from './large-bodies';

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const clock = { at: 1000 };
  const server = new EventEmitter();
  const bodies = new LargeBodies({ now: () => 0, elapsed: () => clock.at });
  bodies.watch(server as Server);
  return { clock, bodies, server };
}

describe('LargeBodies', () => {
  afterEach(() => jest.restoreAllMocks());

  it('come one at a time, in the order of asking', async () => {
    const { bodies } = start();
    const order: string[] = [];
    const ask = (name: string) => bodies.turn().then(() => order.push(name));
    const last = ['a', 'b', 'c'].map(ask)[2];
    await turnOfLoop();
    expect(order).toEqual([]);
    await turnOfLoop();
    expect(order).toEqual(['a']);
    await turnOfLoop();
    expect(order).toEqual(['a']);
    await last;
    expect(order).toEqual(['a', 'b', 'c']);
    await ask('later');
    expect(order.at(-1)).toBe('later');
  });

  it('wait while a connection comes in each turn of the loop, for 200 ms at most', async () => {
    const { bodies, clock, server } = start();
    const waits = async (connections: number) => {
      let turns = 0;
      let isOver = false;
      void bodies.turn().then(() => (isOver = true));
      while (!isOver) {
        if (turns < connections) server.emit('connection');
        await turnOfLoop();
        clock.at += 2;
        turns += 1;
      }
      return turns;
    };
    await waits(0);
    const alone = await waits(0);
    // The first has come before it looks.
    expect(await waits(40)).toBe(alone + 39);
    const longest = await waits(10_000);
    expect(Math.abs(longest - alone - 100)).toBeLessThanOrEqual(1);
  });

  it.each([
    [4.9, undefined],
    [5, 10],
    [12, 24],
    [30, 60],
    [300, 60],
  ])('after %d ms of work pause for %p', async (took, pause) => {
    const { clock, bodies } = start();
    const timers = jest.spyOn(global, 'setTimeout');
    await bodies.turn();
    clock.at += took;
    await bodies.turn();
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual(pause === undefined ? [] : [pause]);
  });
});
