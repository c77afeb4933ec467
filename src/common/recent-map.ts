/**
 * A map of bounded size: the keys of least recent use go first.
 *
 * Two generations in place of one order: a full younger one becomes the older, whose keys are forgotten
 * unless they are used again. A key that is in use costs one look-up, and no step grows with the size. The
 * `limit / 2` keys used last are always kept.
 */
export class RecentMap<Key, Value extends NonNullable<unknown>> {
  private young = new Map<Key, Value>();
  private old = new Map<Key, Value>();
  private readonly generation: number;

  /** @param limit most keys that are kept, at least 2 */
  constructor(limit: number) {
    this.generation = Math.floor(limit / 2);
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  get(key: Key): Value | undefined {
    const recent = this.young.get(key);
    if (recent !== undefined) return recent;
    const value = this.old.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.old.delete(key);
    this.young.set(key, value);
    if (this.young.size >= this.generation) this.age();
  }

  delete(key: Key): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  /** Forgets what has not been used since the last time. */
  age(): void {
    this.old = this.young;
    this.young = new Map();
  }
}
