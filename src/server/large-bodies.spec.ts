import { LargeBodies } from './large-bodies';

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const clock = { at: 1000 };
  return { clock, bodies: new LargeBodies({ elapsed: () => clock.at }) };
}

describe('LargeBodies', () => {
  afterEach(() => jest.restoreAllMocks());

  it('come one in each turn of the event loop, in the order of asking, the first at once', async () => {
    const { bodies } = start();
    const order: string[] = [];
    const ask = (name: string) => void bodies.turn().then(() => order.push(name));
    for (const name of ['a', 'b', 'c']) ask(name);
    await Promise.resolve();
    expect(order).toEqual(['a']);
    await turnOfLoop();
    expect(order).toEqual(['a', 'b']);
    await turnOfLoop();
    expect(order).toEqual(['a', 'b', 'c']);
    await turnOfLoop();
    ask('later');
    await Promise.resolve();
    expect(order.at(-1)).toBe('later');
  });

  it.each([
    [4.9, undefined],
    [5, 5],
    [12, 12],
    [20, 20],
    [300, 20],
  ])('after %d ms of work pause for %p', async (took, pause) => {
    const { clock, bodies } = start();
    const timers = jest.spyOn(global, 'setTimeout');
    await bodies.turn();
    clock.at += took;
    await bodies.turn();
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual(pause === undefined ? [] : [pause]);
  });
});
