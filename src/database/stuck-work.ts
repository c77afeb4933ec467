/**
 * Finds who does not come to an end with what they are at, by looking at all of them at regular intervals.
 * Nothing is paid for work that ends in between. Looks are counted, not time: after an event loop that was
 * blocked, an answer that has arrived meanwhile is read before the next look.
 */
export class StuckWork<Worker> {
  private seen = new Map<Worker, { work: unknown; looks: number }>();

  /**
   * One look.
   * @param current what each of those who are at something is at
   * @returns for how many looks each has been at the same; 1 when it is seen for the first time
   */
  look(current: Iterable<readonly [Worker, unknown]>): ReadonlyMap<Worker, number> {
    const now = new Map<Worker, { work: unknown; looks: number }>();
    for (const [worker, work] of current) {
      const before = this.seen.get(worker);
      now.set(worker, { work, looks: before !== undefined && before.work === work ? before.looks + 1 : 1 });
    }
    this.seen = now;
    return new Map([...now].map(([worker, { looks }]) => [worker, looks]));
  }
}
