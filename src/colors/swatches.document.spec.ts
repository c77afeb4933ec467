import { swatchesDocument, swatchOf } from './swatches.document';

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

it('the page shows the computed difference of target and measurement, not a stored one', () => {
  const match = {
    ...{ id: 'one', name: 'One', colorantComposition: [], deltaE: 9, distance: 1 },
    ...{ formulaId: null, createdBy: 'somebody', createdAt: '2026-01-01T00:00:00.000Z' },
    targetLab: { L: 50, a: 2.6772, b: -79.7751 },
    actualLab: { L: 50, a: 0, b: -82.7485 },
  };
  const { tables } = swatchesDocument({ L: 50, a: 0, b: 0 }, [match, { ...match, actualLab: null }], 'en');
  const shown = tables[0]!.rows.map(({ cells }) => cells.at(-1));
  // The first pair of Sharma, Wu and Dalal, 2005.
  expect(shown).toEqual([expect.closeTo(2.0425, 4), null]);
});
