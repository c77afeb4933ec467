import { growthOf, type Sample } from './memory';

const MB = 1024 * 1024;

/** Two instances, looked at every five seconds; of the second the memory is a function of the minute. */
const samplesOf = (minutes: number, second: (minute: number) => number | undefined): Sample[] =>
  Array.from({ length: minutes * 12 }, (_, at) => {
    const minute = (at + 0.5) / 12;
    const megabytes = second(minute);
    return { minute, bytes: [100 * MB, megabytes === undefined ? undefined : megabytes * MB] };
  });

describe('Memory of a run', () => {
  it('may grow while the instances warm up, and hardly afterwards', () => {
    const warming = samplesOf(30, (minute) => Math.min(100 + 50 * minute, 300));
    expect(growthOf(warming, 30).holds).toBe(true);
    const growing = samplesOf(30, (minute) => 300 + 2 * minute);
    expect(growthOf(growing, 30)).toMatchObject({
      holds: false,
      text: expect.stringMatching(/\| 1 \| 100 \| 100 \| 1[.]00 \|\n\| 2 \| 309 \| 359 \| 1[.]16 \|$/),
    });
  });

  it('of three minutes is compared, too, each with another minute', () => {
    expect(
      growthOf(
        samplesOf(3, () => 300),
        3,
      ).holds,
    ).toBe(true);
    const growing = samplesOf(3, (minute) => 300 + 60 * minute);
    expect(growthOf(growing, 3).holds).toBe(false);
  });

  it('is that of the last minute also where the run ends just behind a full one', () => {
    const samples = samplesOf(30, () => 300);
    expect(growthOf(samples, 30.02).holds).toBe(true);
  });

  it('of an instance that was away at times is that of the others', () => {
    const samples = samplesOf(30, (minute) => (minute % 1 < 0.3 ? undefined : 300));
    expect(growthOf(samples, 30).holds).toBe(true);
  });

  it('that nobody has seen is not well', () => {
    expect(growthOf([], 30).holds).toBe(false);
    expect(
      growthOf(
        samplesOf(30, (minute) => (minute > 20 ? undefined : 300)),
        30,
      ).holds,
    ).toBe(false);
  });
});
