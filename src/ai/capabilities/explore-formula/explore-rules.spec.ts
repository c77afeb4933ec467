import { IngredientNames } from '../ingredient-names';
import { keepsToRequest, prepareRules, rulesOf, variantFault, withoutIdleChanges } from './explore-rules';

const BASE = [
  { name: '水', inciName: 'Aqua', percentage: 85 },
  { name: '甘油', inciName: 'Glycerin', percentage: 10 },
  { name: '乙醇', inciName: 'Alcohol', percentage: 5 },
];
const change = (ingredient: string, newPercentage: number) => ({ ingredient, newPercentage });
const variant = (changes: ReturnType<typeof change>[], costEstimate = 10) => ({
  changes,
  predictedMetrics: { costEstimate },
});

describe('keepsToRequest', () => {
  it('holds the cost limit, its own value included', () => {
    expect(keepsToRequest(variant([], 20), { costLimit: 20 })).toBe(true);
    expect(keepsToRequest(variant([], 20.01), { costLimit: 20 })).toBe(false);
  });

  it('wants what must go gone, also when the option does not mention it', () => {
    const input = { baseIngredients: BASE, excludeIngredients: ['乙醇'] };
    expect(keepsToRequest(variant([change('乙醇', 0), change('水', 90)]), input)).toBe(true);
    expect(keepsToRequest(variant([change('乙醇', 1), change('水', 89)]), input)).toBe(false);
    expect(keepsToRequest(variant([change('甘油', 12), change('水', 83)]), input)).toBe(false);
  });

  it('knows an ingredient by either of its names, whatever the case', () => {
    const input = { baseIngredients: BASE, excludeIngredients: ['ALCOHOL'] };
    expect(keepsToRequest(variant([change('乙醇', 0), change('Aqua', 90)]), input)).toBe(true);
  });

  it('does not let in what must not be there', () => {
    expect(keepsToRequest(variant([change('Parfum', 1)]), { excludeIngredients: ['parfum'] })).toBe(false);
    expect(keepsToRequest(variant([change('Parfum', 0)]), { excludeIngredients: ['parfum'] })).toBe(true);
  });

  it('counts the last of two changes, and what the base names without a share', () => {
    const input = { baseIngredients: [...BASE, { name: '香精', percentage: 0 }], keepIngredients: ['香精'] };
    expect(keepsToRequest(variant([]), input)).toBe(false);
    expect(keepsToRequest(variant([change('香精', 1), change('水', 84)]), input)).toBe(true);
    expect(keepsToRequest(variant([change('香精', 1), change('香精', 0)]), input)).toBe(false);
    const without = { baseIngredients: BASE, excludeIngredients: ['乙醇'] };
    expect(keepsToRequest(variant([change('乙醇', 3), change('乙醇', 0), change('水', 90)]), without)).toBe(
      true,
    );
  });

  it('adds up exactly', () => {
    const input = {
      baseIngredients: [32.6, 43.2, 24.7].map((percentage, at) => ({ name: `${at}`, percentage })),
    };
    expect(keepsToRequest(variant([change('0', 32.6)]), input)).toBe(true);
    expect(keepsToRequest(variant([change('0', 32.61)]), input)).toBe(false);
  });

  it('wants what must stay to stay', () => {
    const input = { baseIngredients: BASE, keepIngredients: ['Glycerin'] };
    expect(keepsToRequest(variant([change('甘油', 0), change('水', 95)]), input)).toBe(false);
    expect(keepsToRequest(variant([change('甘油', 5), change('水', 90)]), input)).toBe(true);
  });

  it('counts an ingredient that stands in the base twice with its sum', () => {
    const input = {
      baseIngredients: [...BASE.slice(1), ...['水', '水'].map((name) => ({ name, percentage: 42.5 }))],
    };
    expect(keepsToRequest(variant([change('甘油', 20)]), input)).toBe(false);
    expect(keepsToRequest(variant([change('甘油', 10.2)]), input)).toBe(true);
  });

  it('does not ask for what was never in it', () => {
    const input = { baseIngredients: BASE, keepIngredients: ['角鲨烷'] };
    expect(keepsToRequest(variant([]), input)).toBe(true);
  });

  it('is content with a variant that leaves what stays, and what is not there, unmentioned', () => {
    const base = [...BASE, { name: '香精', percentage: 0 }];
    for (const excluded of ['香精', '角鲨烷']) {
      const input = { baseIngredients: base, keepIngredients: ['甘油'], excludeIngredients: [excluded] };
      expect(keepsToRequest(variant([change('水', 85)]), input)).toBe(true);
    }
  });

  it('wants a complete base to stay complete, and forgives an incomplete one', () => {
    expect(keepsToRequest(variant([change('甘油', 11)]), { baseIngredients: BASE })).toBe(false);
    expect(keepsToRequest(variant([change('甘油', 10.5)]), { baseIngredients: BASE })).toBe(true);
    expect(keepsToRequest(variant([change('甘油', 9.5)]), { baseIngredients: BASE })).toBe(true);
    expect(keepsToRequest(variant([change('甘油', 9.4)]), { baseIngredients: BASE })).toBe(false);
    expect(keepsToRequest(variant([change('甘油', 50)]), { baseIngredients: BASE.slice(1) })).toBe(true);
  });

  const inEnglish = [
    { name: 'Aqua', percentage: 85 },
    { name: 'Glycerin', percentage: 10 },
    { name: 'Phenoxyethanol', percentage: 5 },
  ];

  it('knows what must go under its other names, also where a variant brings it back', () => {
    const input = { baseIngredients: inEnglish, excludeIngredients: ['Glycerin'] };
    const back = [change('Glycerin', 0), change('甘油', 5), change('Aqua', 90)];
    expect(variantFault(variant(back), input)).toBe('excluded-ingredient');
    expect(keepsToRequest(variant([change('甘油', 0), change('Aqua', 95)]), input)).toBe(true);
    const catalogue = new IngredientNames([{ inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇' }]);
    const preservative = { baseIngredients: inEnglish, excludeIngredients: ['苯氧乙醇'], catalogue };
    expect(keepsToRequest(variant([change('Aqua', 85)]), preservative)).toBe(false);
    expect(keepsToRequest(variant([change('Phenoxyethanol', 0), change('Aqua', 90)]), preservative)).toBe(
      true,
    );
  });

  it('adds nothing that the base has under another name', () => {
    const added = { action: 'add', ingredient: '甘油', oldPercentage: null, newPercentage: 10 };
    expect(variantFault(variant([added]), { baseIngredients: inEnglish })).toBe('added-twice');
    const raised = { ...added, oldPercentage: 10 };
    expect(variantFault(variant([raised]), { baseIngredients: inEnglish })).toBeUndefined();
    expect(
      variantFault(variant([{ ...added, ingredient: 'GLYCERIN' }]), { baseIngredients: inEnglish }),
    ).toBeUndefined();
  });

  it('holds the limit by the prices of the catalogue where it has all of them', () => {
    const prices = { Aqua: 0, Glycerin: 12, Phenoxyethanol: 90 };
    const catalogue = new IngredientNames(
      Object.entries(prices).map(([inciName, pricePerKg]) => ({ inciName, chineseName: '-', pricePerKg })),
    );
    const input = { baseIngredients: inEnglish, costLimit: 5, catalogue };
    expect(variantFault(variant([], 4), input)).toBe('over-cost-limit');
    expect(variantFault(variant([], 4), { ...input, costLimit: 6 })).toBeUndefined();
    expect(variantFault(variant([], 4), { ...input, catalogue: new IngredientNames() })).toBeUndefined();
  });

  it('is the same made in steps, between which others have their turn', async () => {
    const baseIngredients = Array.from({ length: 900 }, (_, at) => ({ name: `base ${at}`, percentage: 0.1 }));
    const excludeIngredients = Array.from({ length: 900 }, (_, at) => `ase ${at}`);
    let [turns, isDone] = [0, false];
    const turn = () => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const prepared = { baseIngredients, excludeIngredients };
    await prepareRules(prepared);
    isDone = true;
    expect(turns).toBeGreaterThan(1);
    const atOnce = { baseIngredients, excludeIngredients };
    for (const part of ['excluded', 'retained', 'notInBase'] as const) {
      expect(rulesOf(prepared)[part]).toEqual(rulesOf(atOnce)[part]);
    }
  });
});

describe('withoutIdleChanges', () => {
  const option = variant([change('Paraben', 0), change('乙醇', 0), change('水', 90), change('丁二醇', 1)]);

  it('leaves out what takes nothing away, where it is known what there is', () => {
    const names = withoutIdleChanges(option, { baseIngredients: BASE }).changes.map(
      ({ ingredient }) => ingredient,
    );
    expect(names).toEqual(['乙醇', '水', '丁二醇']);
    expect(withoutIdleChanges(option, {})).toBe(option);
  });
});
