import { DEEP_OFFSET } from '../database/counted-pages';
import { listStatement } from './formula-list.sql';

describe('The list of formulas', () => {
  const DEEP = { page: DEEP_OFFSET / 10 + 2, limit: 10 };

  it.each([
    ['its first pages', { page: 1, limit: 10 }, 'name', false, true],
    ['the last page that is not deep', { page: DEEP_OFFSET / 10 + 1, limit: 10 }, 'name', false, true],
    ['deep pages', DEEP, 'updatedAt', false, false],
    ['what is counted', { page: 1, limit: 10 }, 'name', true, false],
  ] as const)('is sent behind other reads where it is short: %s', (_, page, sortBy, isCounted, expected) => {
    const { mayPipeline } = listStatement({ ...page, sortBy, sortOrder: 'asc' }, isCounted);
    expect(mayPipeline).toBe(expected);
  });
});
