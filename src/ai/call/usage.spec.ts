import { Usage } from './usage';

describe('Usage', () => {
  it('is nothing while nothing is said', () => {
    const usage = new Usage();
    usage.add(undefined);
    expect([usage.tokens, usage.take()]).toEqual([undefined, undefined]);
  });

  it('gives each token once, and tells of all as often as it is asked', () => {
    const usage = new Usage();
    usage.add(5);
    usage.add(undefined);
    usage.add(2);
    expect([usage.tokens, usage.tokens]).toEqual([7, 7]);
    expect([usage.take(), usage.take()]).toEqual([7, undefined]);
    usage.add(3);
    expect([usage.tokens, usage.take(), usage.take(), usage.tokens]).toEqual([10, 3, undefined, 10]);
  });

  it('tells of none that was needed', () => {
    const usage = new Usage();
    usage.add(0);
    expect([usage.tokens, usage.take(), usage.take()]).toEqual([0, 0, undefined]);
  });
});
