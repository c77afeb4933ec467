import { Conditions } from './conditions';

describe('Conditions', () => {
  it('are none, or come one after the other with their values', () => {
    expect(new Conditions().text).toBe('');
    const where = new Conditions('open');
    where.and(`name = ${where.bind('a')}`).and(`price > ${where.bind(0)}`);
    expect(where.text).toBe('WHERE open AND name = $1 AND price > $2');
    expect(where.values).toEqual(['a', 0]);
  });
});
