import { ManualClock } from '../../../test/support/clock';
import { SharedCounter } from './shared-counter';

const SECONDS = 60;

describe('A counter of one process', () => {
  let clock: ManualClock;
  let counter: SharedCounter;

  beforeEach(() => {
    clock = new ManualClock();
    counter = new SharedCounter('requests', clock);
  });

  it('counts in a window that begins with the first count', async () => {
    expect(await counter.add('lin', SECONDS)).toEqual({ count: 1, leftMs: 60_000 });
    clock.advance(59_999);
    expect(await counter.add('lin', SECONDS)).toEqual({ count: 2, leftMs: 1 });
    clock.advance(1);
    expect(await counter.get('lin')).toEqual({ count: 0, leftMs: 0 });
    expect(await counter.add('lin', SECONDS)).toMatchObject({ count: 1 });
  });

  it('takes nothing back after the window', async () => {
    await counter.add('lin', SECONDS);
    clock.advance(60_000);
    await counter.takeBack('lin', SECONDS);
    expect(await counter.add('lin', SECONDS)).toMatchObject({ count: 1 });
  });

  it('keeps nobody out for longer than a window when the clock is set back', async () => {
    await counter.add('lin', SECONDS);
    clock.advance(-3_600_000);
    expect(await counter.add('lin', SECONDS)).toEqual({ count: 1, leftMs: 60_000 });
  });

  it('remembers 50,000 keys at most, and forgets the oldest first', async () => {
    await counter.add('first', SECONDS);
    for (let n = 1; n < 50_000; n += 1) await counter.add(`key ${n}`, SECONDS);
    expect(await counter.get('first')).toMatchObject({ count: 1 });
    await counter.add('one more', SECONDS);
    expect(await counter.get('first')).toMatchObject({ count: 0 });
    expect(await counter.get('key 1')).toMatchObject({ count: 1 });
  });
});
