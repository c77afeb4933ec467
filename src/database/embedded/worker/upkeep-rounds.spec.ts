import { UpkeepRounds } from './upkeep-rounds.cjs';

/** A queue that is free when it is told so, and upkeep of two steps that leaves as much as it is told. */
function start() {
  const waiting: (() => void)[] = [];
  const queue = { groupsRun: 0, whenFree: (work: () => void) => void waiting.push(work) };
  const state = { isSomethingLeft: false };
  const begun: number[] = [];
  const steps = jest.fn();
  function* twoSteps() {
    steps();
    yield;
    steps();
    return state.isSomethingLeft;
  }
  const upkeep = {
    lookAfter: (groups: number) => {
      begun.push(groups);
      return twoSteps();
    },
  };
  const free = () => waiting.shift()?.();
  const finish = () => {
    while (waiting.length > 0) free();
  };
  return { rounds: new UpkeepRounds(upkeep, queue), queue, state, begun, steps, free, finish };
}

describe('UpkeepRounds', () => {
  it('wait for groups, and are told how many there were since the last', () => {
    const { rounds, queue, begun, finish } = start();
    rounds.begin();
    finish();
    expect(begun).toEqual([]);
    for (const groups of [3, 5]) {
      queue.groupsRun = groups;
      rounds.begin();
      finish();
    }
    rounds.begin();
    finish();
    expect(begun).toEqual([3, 2]);
  });

  it('go on without groups until nothing is left', () => {
    const { rounds, queue, state, begun, finish } = start();
    queue.groupsRun = 1;
    state.isSomethingLeft = true;
    rounds.begin();
    finish();
    rounds.begin();
    state.isSomethingLeft = false;
    finish();
    rounds.begin();
    finish();
    expect(begun).toEqual([1, 0]);
  });

  it('take a turn for each step, one round at a time', () => {
    const { rounds, queue, begun, steps, free } = start();
    queue.groupsRun = 1;
    rounds.begin();
    expect(steps).not.toHaveBeenCalled();
    free();
    queue.groupsRun = 2;
    rounds.begin();
    expect(steps).toHaveBeenCalledTimes(1);
    free();
    expect(steps).toHaveBeenCalledTimes(2);
    expect(begun).toEqual([1]);
    rounds.begin();
    free();
    expect(begun).toEqual([1, 1]);
  });
});
