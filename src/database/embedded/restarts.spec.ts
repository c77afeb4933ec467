import { Restarts } from './restarts';

describe('Restarts', () => {
  let now = 0;
  const restarts = () => new Restarts(() => now);

  it('allows a start after up to two deaths in a minute', () => {
    const of = restarts();
    expect(of.allowed()).toBe(true);
    of.record();
    of.record();
    expect(of.allowed()).toBe(true);
    of.record();
    expect(of.allowed()).toBe(false);
  });

  it('forgets a death after a minute, and not before', () => {
    now = 1000;
    const of = restarts();
    for (now of [1000, 2000, 3000]) of.record();
    now = 60_999;
    expect(of.allowed()).toBe(false);
    now = 61_000;
    expect(of.allowed()).toBe(true);
    of.record();
    expect(of.allowed()).toBe(false);
  });
});
