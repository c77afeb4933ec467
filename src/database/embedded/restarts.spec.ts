import { ManualClock } from '../../../test/support/clock';
import { Restarts } from './restarts';

describe('Restarts', () => {
  const start = () => {
    const clock = new ManualClock();
    return { clock, of: new Restarts(clock) };
  };

  it('allows a start after up to two deaths in a minute', () => {
    const { of } = start();
    expect(of.allowed()).toBe(true);
    of.record();
    of.record();
    expect(of.allowed()).toBe(true);
    of.record();
    expect(of.allowed()).toBe(false);
  });

  it('forgets a death after a minute, and not before', () => {
    const { of, clock } = start();
    for (let death = 0; death < 3; death += 1) {
      of.record();
      clock.advance(1000);
    }
    clock.advance(56_999);
    expect(of.allowed()).toBe(false);
    clock.advance(1);
    expect(of.allowed()).toBe(true);
    of.record();
    expect(of.allowed()).toBe(false);
  });
});
