// @ts-check
'use strict';

/**
 * When upkeep is looked after: step by step between the turns of the clients, while groups are run or
 * something is left to do.
 */
class UpkeepRounds {
  /**
   * @param {{ lookAfter(groups: number): Iterator<void, boolean> }} upkeep
   * @param {{ readonly groupsRun: number, whenFree(work: () => void): void }} queue
   */
  constructor(upkeep, queue) {
    this.upkeep = upkeep;
    this.queue = queue;
    this.groupsSeen = 0;
    this.isUnderWay = false;
    this.isDone = true;
  }

  /** To be called at regular intervals: begins a round when one is due and none is under way. */
  begin() {
    const groups = this.queue.groupsRun - this.groupsSeen;
    if (this.isUnderWay || (groups === 0 && this.isDone)) return;
    this.groupsSeen = this.queue.groupsRun;
    this.isUnderWay = true;
    this.proceed(this.upkeep.lookAfter(groups));
  }

  /** @param {Iterator<void, boolean>} steps */
  proceed(steps) {
    this.queue.whenFree(() => {
      const step = steps.next();
      this.isUnderWay = !step.done;
      if (step.done) this.isDone = !step.value;
      else this.proceed(steps);
    });
  }
}

module.exports = { UpkeepRounds };
