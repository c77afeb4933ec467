import { swatchOf } from './swatches.document';

describe('swatchOf', () => {
  it.each([
    // sRGB's own colours under D65 (IEC 61966-2-1).
    [{ L: 100, a: 0, b: 0 }, '#ffffff'],
    [{ L: 0, a: 0, b: 0 }, '#000000'],
    [{ L: 53.39, a: 0, b: 0 }, '#7f7f7f'],
    [{ L: 53.24, a: 80.09, b: 67.2 }, '#ff0000'],
    [{ L: 87.73, a: -86.18, b: 83.18 }, '#00ff00'],
    [{ L: 32.3, a: 79.19, b: -107.86 }, '#0000ff'],
  ])('%j is %s', (lab, hex) => {
    const channels = (text: string) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
    const [found, expected] = [channels(swatchOf(lab).hex), channels(hex)];
    for (const [at, channel] of found.entries())
      expect(Math.abs(channel - expected[at]!)).toBeLessThanOrEqual(1);
  });

  it('says which colours the screen does not have', () => {
    expect(swatchOf({ L: 60, a: 10, b: 10 }).isExact).toBe(true);
    expect(swatchOf({ L: 60, a: 120, b: -100 })).toEqual({
      hex: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
      isExact: false,
    });
  });
});
