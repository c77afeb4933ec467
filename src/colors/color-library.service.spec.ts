import { type LibraryQuery, type NamedColorDto } from './color.dto';
import { type ColorLibraryRepository } from './color-library.repository';
import { ColorLibraryService } from './color-library.service';

const COLORS = [10, 30, 20, 20, 50].map((L, index) => ({ id: `${index}`, L, a: 0, b: 0 }));

/** A library of these colours, of which a search finds the first four. */
function setUp() {
  const shown = ({ id, L, a, b }: (typeof COLORS)[number]) =>
    ({ id, name: id, lab: { L, a, b } }) as unknown as NamedColorDto;
  const library = {
    list: jest.fn(() => Promise.resolve({ rows: COLORS.map(shown), total: 5 })),
    search: jest.fn(() => Promise.resolve({ rows: COLORS.slice(0, 4).map(shown), total: 4 })),
    count: jest.fn(() => Promise.resolve(5)),
    coordinatesOf: jest.fn(() => Promise.resolve(COLORS.slice(0, 4))),
    nearestByCiede2000: jest.fn(({ L }: { L: number }, count: number) =>
      Promise.resolve(
        COLORS.slice(0, count).map(({ id, ...lab }) => ({ id, distance: Math.abs(lab.L - L) })),
      ),
    ),
    findRanked: jest.fn((ranked: readonly { id: string; distance: number }[]) =>
      Promise.resolve(ranked.map(({ id, distance }) => ({ ...shown(COLORS[Number(id)]!), distance }))),
    ),
  };
  const service = new ColorLibraryService(library as unknown as ColorLibraryRepository);
  const find = async (query: Partial<LibraryQuery>) => {
    const { rows, total } = await service.find({ page: 1, limit: 20, ...query });
    return { ids: rows.map(({ id }) => id), total, rows };
  };
  return { find, library };
}

describe('ColorLibraryService', () => {
  it('lists by name where nothing is asked for, or only white space', async () => {
    const { find, library } = setUp();
    for (const search of [undefined, '', ' \t']) {
      expect((await find({ search })).total).toBe(5);
    }
    expect(library.list).toHaveBeenCalledTimes(3);
    expect(library.search).not.toHaveBeenCalled();
  });

  it('searches for a text without the white space around it, in its composed form', async () => {
    const { find, library } = setUp();
    const search = ' Cre\u0300me ';
    await find({ search });
    await find({ search, L: 1, a: 2, b: 3 });
    expect(library.search.mock.calls).toMatchObject([['Cr\u00e8me', { page: 1, limit: 20 }]]);
    expect(library.coordinatesOf.mock.calls).toEqual([['Cr\u00e8me']]);
  });

  it.each([
    { L: 0, a: 0, b: 0 },
    { L: 0, a: -5, b: 0 },
    { L: 100, a: 0, b: 0 },
  ])('takes a zero for a coordinate like any other: %j', async (lab) => {
    const { find, library } = setUp();
    const { rows } = await find(lab);
    expect(library.nearestByCiede2000.mock.calls).toEqual([[lab, 5]]);
    expect(rows.map(({ deltaE }) => deltaE)).toEqual(COLORS.map(({ L }) => Math.abs(L - lab.L)));
    expect(rows[0]).not.toHaveProperty('distance');
  });

  it.each([
    [{ L: 0 }, ['a', 'b']],
    [{ a: 0, b: 0 }, ['L']],
    [{ L: 0, b: 0 }, ['a']],
  ])('refuses %j, naming what is missing: %j', async (lab, fields) => {
    const message = fields.map((field) => `${field}: L、a、b 必须同时提供`).join('; ');
    await expect(setUp().find(lab)).rejects.toMatchObject({ status: 400, message });
  });

  it('ranks what a text finds, equal ones by id, page by page', async () => {
    const { find, library } = setUp();
    const query = { search: 'x', L: 0, a: 0, b: 0, limit: 2 };
    expect(await find(query)).toMatchObject({ ids: ['0', '2'], total: 4 });
    expect(await find({ ...query, page: 2 })).toMatchObject({ ids: ['3', '1'], total: 4 });
    expect(await find({ ...query, limit: 3, page: 2 })).toMatchObject({ ids: ['1'], total: 4 });
    expect(library.nearestByCiede2000).not.toHaveBeenCalled();
  });

  it('ranks all where the text beside a colour is white space, and no more than a page needs', async () => {
    const { find, library } = setUp();
    const query = { search: ' ', L: 0, a: 0, b: 0, limit: 2 };
    expect(await find(query)).toMatchObject({ ids: ['0', '1'], total: 5 });
    expect(await find({ ...query, page: 3 })).toMatchObject({ ids: ['4'], total: 5 });
    expect(library.nearestByCiede2000.mock.calls.map(([, count]) => count)).toEqual([2, 5]);
    expect(library.coordinatesOf).not.toHaveBeenCalled();
  });

  it('ranks nothing beyond the last page', async () => {
    const { find, library } = setUp();
    const query = { L: 0, a: 0, b: 0, limit: 5, page: 2 };
    expect(await find(query)).toMatchObject({ ids: [], total: 5 });
    expect(await find({ ...query, search: 'x' })).toMatchObject({ ids: [], total: 4 });
    expect(library.nearestByCiede2000).not.toHaveBeenCalled();
    expect(library.findRanked).not.toHaveBeenCalled();
  });
});
