import { compositionKey } from './grouped-formulas';

describe('compositionKey', () => {
  const phase = (name: string, sortOrder: number, percentage = 50, processNotes: string | null = null) => ({
    name,
    sortOrder,
    ingredients: [{ ingredientId: 'water', percentage, processNotes }],
  });
  const [a, b] = [phase('A', 1, 40), phase('B', 2, 60)];

  it.each([
    ['the order in which phases of different order stand', [b, a]],
    ['blanks around names and notes', [phase(' A ', 1, 40, ' '), b]],
  ])('is the same whatever %s', (_, phases) => {
    expect(compositionKey(phases)).toBe(compositionKey([a, b]));
  });

  it('is the same for the parts of a phase and for the whole of it', () => {
    const whole = { ...a, ingredients: [...a.ingredients, ...phase('A', 1, 20).ingredients] };
    expect(compositionKey([a, b, phase('A', 1, 20)])).toBe(compositionKey([whole, b]));
  });

  it.each([
    ['another amount', [phase('A', 1, 40.0001), b]],
    ['other notes', [phase('A', 1, 40, '加热'), b]],
    ['another name', [phase('C', 1, 40), b]],
    ['another order', [phase('A', 3, 40), b]],
  ])('is another one for %s', (_, phases) => {
    expect(compositionKey(phases)).not.toBe(compositionKey([a, b]));
  });

  it('is another one where phases of one order change places', () => {
    const [one, two] = [phase('A', 1), phase('B', 1)];
    expect(compositionKey([one, two])).not.toBe(compositionKey([two, one]));
  });
});
