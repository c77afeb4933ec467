import { ColorMatchesService, type FoldableMatch, foldMatches } from './color-matches.service';
import type { NearestQuery } from './color.dto';
import type { ColorService } from './color.service';

const match = (id: string, changes: Partial<FoldableMatch> = {}): FoldableMatch => ({
  id,
  name: '正红 01',
  targetLab: { L: 50, a: 20, b: 10 },
  colorantComposition: { 'CI 77491': 2.4, 10: 1 },
  ...changes,
});

const idsOf = (matches: readonly FoldableMatch[]) =>
  foldMatches(matches).map(({ id, duplicates }) => [id, ...duplicates]);

describe('foldMatches', () => {
  it('folds what has the same target, name and colorants, the first for all', () => {
    const other = match('c', { name: '别的' });
    expect(idsOf([match('a'), other, match('b')])).toEqual([['a', 'b'], ['c']]);
  });

  it.each<[string, Partial<FoldableMatch>]>([
    ['the form and blanks of the name', { name: ' 正红０１' }],
    ['the order of keys', { colorantComposition: { 10: 1, 'CI 77491': 2.4 } }],
  ])('does not mind %s', (_, changes) => {
    expect(idsOf([match('a'), match('b', changes)])).toEqual([['a', 'b']]);
  });

  it('does not mind the order of colorants with names', () => {
    const colorants = [
      { name: 'CI 77491', ratio: 0.6 },
      { name: 'CI 77891', ratio: 0.3 },
      { name: 'CI 77891', ratio: 0.1 },
    ];
    const matches = [
      match('a', { colorantComposition: colorants }),
      match('b', { colorantComposition: colorants.toReversed().map(({ name, ratio }) => ({ ratio, name })) }),
      match('c', { colorantComposition: colorants.map(({ name }) => ({ name, ratio: 0.3 })) }),
      match('d', { colorantComposition: { colorants } }),
    ];
    expect(idsOf(matches)).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it.each<[string, Partial<FoldableMatch>]>([
    ['another target', { targetLab: { L: 50, a: 20, b: 10.0001 } }],
    ['another name', { name: '正红 02' }],
    ['other amounts', { colorantComposition: { 'CI 77491': 2.5, 10: 1 } }],
    ['no colorants', { colorantComposition: null }],
    [
      'a list of pairs',
      {
        colorantComposition: {
          pairs: [
            ['10', 1],
            ['CI 77491', 2.4],
          ],
        },
      },
    ],
    ['the order of a list', { colorantComposition: ['b', 'a'] }],
  ])('tells %s apart', (_, changes) => {
    const list = { colorantComposition: ['a', 'b'] };
    const first = match('a', 'order of a list' === _.slice(4) ? list : {});
    expect(idsOf([first, match('b', changes)])).toEqual([['a'], ['b']]);
  });
});

describe('ColorMatchesService', () => {
  /** Colours at these distances, each with another name. */
  const matched = async (distances: number[], query: Partial<NearestQuery> = {}) => {
    const all = distances.map((distance, at) => ({ ...match(`id ${at}`, { name: `色 ${at}` }), distance }));
    const colors = {
      match: (_user: unknown, _color: unknown, most: number) => Promise.resolve(all.slice(0, most)),
    };
    const service = new ColorMatchesService(colors as unknown as ColorService);
    const nearest: NearestQuery = { L: 50, a: 20, b: 10, limit: 1, unique: 'true', lang: 'en', ...query };
    const { isNear, notes, matches } = await service.match({} as never, nearest);
    return { isNear, notes, count: matches.length };
  };

  it.each([
    [5, true, []],
    [5.001, false, ['Nothing is near: the nearest colour differs by ΔE2000 5.01, which is more than 5.']],
  ])('a colour at the threshold is near, and none behind it: %d', async (distance, isNear, notes) => {
    expect(await matched([distance])).toEqual({ isNear, notes, count: 1 });
  });

  it.each([
    [5, 1],
    [5.1, 0],
  ])('looks for duplicates among all colours that are as near: the 65th at %d', async (last, duplicates) => {
    const all = Array.from({ length: 65 }, (_, at) => ({
      ...match(`id ${at}`, { name: at === 64 ? '色 0' : `色 ${at}` }),
      distance: at < 63 ? 5 : last,
    }));
    const colors = {
      match: (_user: unknown, _color: unknown, most: number) => Promise.resolve(all.slice(0, most)),
    };
    const service = new ColorMatchesService(colors as unknown as ColorService);
    const nearest = { limit: 1, unique: 'true', lang: 'en' } as NearestQuery;
    const { matches } = await service.match({} as never, nearest);
    expect(matches[0]!.duplicates).toHaveLength(duplicates);
  });

  it('says that there is none', async () => {
    expect(await matched([])).toEqual({ isNear: false, notes: ['There is no colour to match.'], count: 0 });
  });
});
