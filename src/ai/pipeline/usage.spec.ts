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

  it.each([null, 12.5, -5, 2_147_483_648, 99_999_999_999, true, '7', 'many', {}, NaN, Infinity])(
    'does not count %p',
    (tokens) => {
      const usage = new Usage();
      expect(usage.add(tokens)).toBe(0);
      expect(usage.tokens).toBeUndefined();
      usage.add(7);
      expect(usage.add(tokens, 7)).toBe(7);
      expect(usage.take()).toBe(7);
    },
  );

  it('counts of a total so far what is new', () => {
    const usage = new Usage();
    let counted = 0;
    for (const total of [3, undefined, 8, 6]) counted = usage.add(total, counted);
    expect(usage.take()).toBe(6);
  });

  it('gives a row nothing that it cannot hold', () => {
    const usage = new Usage();
    for (let attempt = 0; attempt < 2; attempt++) usage.add(2_147_483_647);
    expect(usage.take()).toBeUndefined();
  });
});
