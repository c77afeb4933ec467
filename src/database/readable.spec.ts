import { readable } from './readable';

describe('readable', () => {
  it.each(Object.entries(readable))('is a condition that others may stand beside: %s', (_, condition) => {
    expect(condition('one')).toBe('(true)');
  });
});
