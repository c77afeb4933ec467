import { RecentMap } from './recent-map';

const keysOf = (map: RecentMap<number, string>, most: number) =>
  Array.from({ length: most }, (_, key) => key).filter((key) => map.get(key) !== undefined);

function filled(limit: number, keys: number): RecentMap<number, string> {
  const map = new RecentMap<number, string>(limit);
  for (let key = 0; key < keys; key++) map.set(key, `value ${key}`);
  return map;
}

describe('recent map', () => {
  it('gives what was set, and nothing for what was not or is deleted', () => {
    const map = filled(10, 3);
    expect([map.get(0), map.get(2), map.get(3)]).toEqual(['value 0', 'value 2', undefined]);
    map.delete(2);
    expect(map.get(2)).toBeUndefined();
    map.age();
    map.delete(0);
    expect(map.get(0)).toBeUndefined();
    expect(map.size).toBe(1);
  });

  it('replaces a value, also one of the older generation', () => {
    const map = filled(10, 1);
    map.set(0, 'young');
    expect(map.get(0)).toBe('young');
    map.age();
    map.set(0, 'new');
    expect(map.get(0)).toBe('new');
    expect(map.size).toBe(1);
  });

  it('never holds more than its limit, and always the half that was used last', () => {
    const map = new RecentMap<number, string>(10);
    for (let key = 0; key < 100; key++) {
      map.set(key, 'x');
      expect(map.size).toBeLessThanOrEqual(10);
    }
    expect(keysOf(map, 100)).toEqual(expect.arrayContaining([95, 96, 97, 98, 99]));
  });

  it('keeps all keys until it is full', () => {
    expect([4, 5, 9].map((keys) => filled(10, keys).size)).toEqual([4, 5, 9]);
  });

  it('keeps what is used, however many come and go', () => {
    const map = filled(10, 1);
    for (let key = 1; key < 100; key++) {
      map.set(key, 'x');
      expect(map.get(0)).toBe('value 0');
    }
  });

  it('forgets what was not used between two ages', () => {
    const map = filled(10, 2);
    map.age();
    map.get(1);
    map.age();
    expect(keysOf(map, 2)).toEqual([1]);
    map.age();
    map.age();
    expect(map.size).toBe(0);
  });
});
