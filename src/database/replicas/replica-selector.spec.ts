import { ManualClock } from '../../../test/support/clock';
import { MOST_LAG_MS, ReplicaSelector, type SeenReplica } from './replica-selector';

const CLUSTER = '7712/lab';

describe('the choice of a replica', () => {
  let clock: ManualClock;
  let told: string[];
  let selector: ReplicaSelector;

  const at = (lsn: number, timeline = 1) => ({ timeline, lsn: BigInt(lsn) });
  const primaryAt = (lsn: number, timeline = 1, cluster = CLUSTER) =>
    selector.sawPrimary(clock.elapsed(), { cluster, position: at(lsn, timeline) });
  const replicaAt = (index: number, lsn: number, more: Partial<SeenReplica> = {}) =>
    selector.sawReplica(index, { cluster: CLUSTER, isStandby: true, position: at(lsn), ...more });
  const choices = (count: number, wanted?: number) =>
    Array.from({ length: count }, () => selector.choose(wanted === undefined ? undefined : at(wanted)));

  beforeEach(() => {
    clock = new ManualClock();
    told = [];
    selector = new ReplicaSelector(['a:1', 'b:2'], clock, (name, reason) => told.push(`${name} ${reason}`));
  });

  it('there is none before it is known to have what the primary had', () => {
    expect(selector.hasUsable).toBe(false);
    replicaAt(0, 50);
    expect(selector.choose(undefined)).toBeUndefined();
    // The schema may be behind that.
    primaryAt(100);
    expect(selector.choose(undefined)).toBeUndefined();
    replicaAt(0, 100);
    expect(selector.choose(undefined)).toBe(0);
    expect(told).toEqual(['a:1 undefined']);
  });

  it('goes in turns, and only to those that have what is wanted', () => {
    primaryAt(100);
    replicaAt(0, 100);
    replicaAt(1, 120);
    expect(choices(4)).toEqual([0, 1, 0, 1]);
    expect(choices(3, 110)).toEqual([1, 1, 1]);
    expect(choices(1, 121)).toEqual([undefined]);
  });

  it('one that stays behind for too long is left out, told once, and comes back', () => {
    primaryAt(100);
    replicaAt(0, 100);
    for (let ms = 0; ms < 3 * MOST_LAG_MS; ms += 1000) {
      clock.advance(1000);
      primaryAt(200 + ms);
      replicaAt(0, 150);
    }
    expect(selector.hasUsable).toBe(false);
    const ofFirst = () => told.filter((line) => line.startsWith('a:1'));
    expect(ofFirst()).toEqual(['a:1 undefined', 'a:1 it is more than 5 s behind']);
    replicaAt(0, 1_000_000);
    expect(selector.choose(undefined)).toBe(0);
    expect(ofFirst()).toHaveLength(3);
  });

  it('one that is behind by less is read', () => {
    primaryAt(100);
    replicaAt(0, 100);
    clock.advance(MOST_LAG_MS);
    primaryAt(200);
    replicaAt(0, 150);
    expect(selector.choose(undefined)).toBe(0);
    clock.advance(1);
    expect(selector.choose(undefined)).toBeUndefined();
  });

  it('the lag of an idle primary is none', () => {
    for (let ms = 0; ms < 10 * MOST_LAG_MS; ms += 1000) {
      primaryAt(100);
      replicaAt(0, 100);
      expect(selector.choose(undefined)).toBe(0);
      clock.advance(1000);
    }
    expect(selector.states[0]).toEqual({ name: 'a:1', isUsable: true, lagBytes: 0 });
  });

  it('none is read when the primary is looked at no more: how old they are is not known', () => {
    primaryAt(100);
    for (let ms = 0; ms <= MOST_LAG_MS; ms += 1000) {
      replicaAt(0, 100);
      expect(selector.hasUsable).toBe(true);
      clock.advance(1000);
    }
    replicaAt(0, 100);
    expect(selector.hasUsable).toBe(false);
  });

  it('one that gave no answer is left out at once, with its reason', () => {
    primaryAt(100);
    replicaAt(0, 100);
    selector.lostReplica(0, 'ECONNREFUSED');
    selector.lostReplica(0, 'ECONNREFUSED');
    expect(selector.hasUsable).toBe(false);
    replicaAt(0, 100);
    expect(selector.hasUsable).toBe(true);
    expect(told).toEqual(['a:1 undefined', 'a:1 ECONNREFUSED', 'a:1 undefined']);
  });

  it.each<[string, Partial<SeenReplica>]>([
    ['it is no standby', { isStandby: false }],
    ['it is no copy of this database', { cluster: '7712/other' }],
  ])('a server is left out when %s', (reason, more) => {
    primaryAt(100);
    replicaAt(0, 100, more);
    expect(selector.hasUsable).toBe(false);
    expect(told).toEqual([`a:1 ${reason}`]);
    // It is nobody's who waits for all.
    replicaAt(1, 100);
    expect(selector.isEverywhere(at(100))).toBe(true);
  });

  it('one that follows another history than the primary is left out', () => {
    primaryAt(100);
    replicaAt(0, 100);
    replicaAt(1, 100);
    primaryAt(110, 2);
    replicaAt(0, 200, { position: at(200, 1) });
    replicaAt(1, 200, { position: at(200, 2) });
    expect(choices(2)).toEqual([1, 1]);
    primaryAt(300, 2);
    replicaAt(1, 300, { position: at(300, 3) });
    expect(selector.hasUsable).toBe(false);
  });

  it('what has been written is everywhere when each one has it', () => {
    expect(selector.isEverywhere(at(1))).toBe(false);
    primaryAt(100);
    replicaAt(0, 100);
    expect(selector.isEverywhere(at(100))).toBe(false);
    replicaAt(1, 99);
    expect(selector.isEverywhere(at(100))).toBe(false);
    selector.lostReplica(1, 'away');
    expect(selector.isEverywhere(at(100))).toBe(false);
    replicaAt(1, 100);
    expect(selector.isEverywhere(at(100))).toBe(true);
    expect(selector.isEverywhere(at(101))).toBe(false);
  });

  it('one that needs its time to catch up after the start is no news', () => {
    primaryAt(100);
    replicaAt(0, 10);
    expect(told).toEqual([]);
    clock.advance(MOST_LAG_MS + 1);
    primaryAt(100);
    replicaAt(0, 10);
    expect(told).toContain('a:1 it is more than 5 s behind');
    expect(selector.states[0]).toEqual({ name: 'a:1', isUsable: false, lagBytes: 90 });
    expect(selector.states[1]!.lagBytes).toBeUndefined();
  });
});
