import { explorePreset } from './explore-formula';
import { keepsToRequest } from './explore-rules';

const names = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${kind} ${at}`);

/** How many names are brought into the form in which they are compared while `work` runs. */
function comparisons(work: () => unknown): number {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  try {
    work();
    return normalize.mock.calls.length;
  } finally {
    normalize.mockRestore();
  }
}

describe('The steps of an exploration grow with what it holds, no faster', () => {
  const request = (count: number) => {
    const base = names('base', count);
    return {
      baseIngredients: base.map((name, at) => ({ name, percentage: at === 0 ? 100 : 0 })),
      keepIngredients: base.slice(count / 2),
      excludeIngredients: [...base.slice(0, count / 2), ...names('other', count / 2)],
    };
  };

  it('its preset', () => {
    const steps = (count: number) => comparisons(() => explorePreset(request(count)));
    expect(steps(400)).toBeLessThanOrEqual(2.1 * steps(200));
    expect(steps(400)).toBeLessThan(400 * 30);
  });

  it('its preset where nothing may move', () => {
    const fixed = (count: number) => {
      const base = names('base', count);
      return {
        baseIngredients: base.map((name) => ({ name, percentage: 1 })),
        keepIngredients: base,
        excludeIngredients: base,
      };
    };
    const steps = (count: number) => comparisons(() => explorePreset(fixed(count)));
    expect(steps(400)).toBeLessThanOrEqual(2.1 * steps(200));
  });

  it('its rules: the request is read once, however many variants there are', () => {
    const variants = (count: number) =>
      names('variant', count).map((ingredient) => ({
        changes: [{ ingredient, newPercentage: 1 }],
        predictedMetrics: { costEstimate: 1 },
      }));
    const steps = (count: number) =>
      comparisons(() => {
        const input = request(count);
        for (const variant of variants(count)) keepsToRequest(variant, input);
      });
    expect(steps(400)).toBeLessThanOrEqual(2.1 * steps(200));
  });
});
