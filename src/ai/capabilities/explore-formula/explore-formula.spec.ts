import { IngredientNames } from '../ingredient-names';
import { explorePreset } from './explore-formula';
import { type ExploreInput, keepsToRequest } from './explore-rules';

const presetOptions = (input: ExploreInput) => explorePreset(input).options;

describe('The preset of an exploration', () => {
  it('is two variants that say what they are', () => {
    const predictedMetrics = (stabilityScore: number) => ({ costEstimate: 0, stabilityScore });
    const unknown = '成本未知:没有基础配方的成分,costEstimate仅为已知价格部分之和,无法核对成本上限。';
    const glycerin = { action: 'add', ingredient: '甘油', oldPercentage: null, newPercentage: 1 };
    expect(presetOptions({ costLimit: 20, baseFormulaName: ' ' })).toEqual([
      {
        name: '基础配方 · 预设方案一',
        changes: [],
        predictedMetrics: predictedMetrics(70),
        reasoning: `预设方案,未经模型分析,不可直接用于生产。仅落实必须的调整,其余不变。${unknown}`,
      },
      {
        name: '基础配方 · 预设方案二',
        changes: [glycerin],
        predictedMetrics: predictedMetrics(68),
        reasoning: `预设方案,未经模型分析,不可直接用于生产。在必须的调整之外,略微提高保湿剂用量。${unknown}`,
      },
    ]);
    expect(presetOptions({ baseFormulaName: ' 晚霜 ' })[1]?.name).toBe('晚霜 · 预设方案二');
  });

  it('takes what is added from the largest ingredient, and gives it what is taken away', () => {
    const baseIngredients = [
      { name: '水', percentage: 80 },
      { name: ' 甘油', percentage: 15 },
      { name: '乙醇', percentage: 5 },
    ];
    const moved = (excludeIngredients?: string[]) =>
      presetOptions({ baseIngredients, excludeIngredients })[1]?.changes.map(
        ({ action, ingredient, oldPercentage, newPercentage }) =>
          `${action} ${ingredient.trim()} ${oldPercentage} ${newPercentage}`,
      );
    expect(moved()).toEqual(['add 甘油 15 16', 'reduce 水 80 79']);
    expect(moved(['乙醇'])).toEqual(['reduce 乙醇 5 0', 'add 甘油 15 16', 'add 水 80 84']);
  });

  it('does not add what must go, under whatever name', () => {
    const glycerin = [
      { name: '水', inciName: 'Aqua', percentage: 95 },
      { name: '甘油', inciName: 'Glycerin', percentage: 5 },
    ];
    const added = (excluded: string) =>
      presetOptions({ baseIngredients: glycerin, excludeIngredients: [excluded] })
        .flatMap(({ changes }) => changes)
        .filter(({ action, newPercentage }) => action === 'add' && newPercentage > 0)
        .map(({ ingredient }) => ingredient);
    expect(added('Glycerin')).toEqual(['水']);
    expect(added('Aqua')).not.toContain('水');
  });

  it('moves what must stay last, under whatever name', () => {
    const input = {
      baseIngredients: [
        { name: '水', inciName: 'Aqua', percentage: 60 },
        { name: '乙醇', percentage: 5 },
        { name: '丁二醇', percentage: 35 },
      ],
      excludeIngredients: ['乙醇'],
      keepIngredients: ['AQUA'],
    };
    expect(presetOptions(input)[0]!.changes[1]).toMatchObject({ ingredient: '丁二醇', newPercentage: 40 });
  });

  // Percentages may add up to 100.5.
  it.each([
    ['what absorbs what must go', { 水: 95.2, 乙醇: 4.9 }, ['乙醇']],
    ['the water in the place of all', { 乙醇: 50.3, 丙酮: 50.1 }, ['乙醇', '丙酮']],
    ['the glycerin', { 甘油: 99.6, 水: 0.9 }, []],
  ])('has no line of more than all there is: %s', (_, shares, excludeIngredients) => {
    const baseIngredients = Object.entries(shares).map(([name, percentage]) => ({ name, percentage }));
    const changes = presetOptions({ baseIngredients, excludeIngredients }).flatMap(
      (option) => option.changes,
    );
    expect(Math.max(...changes.map(({ newPercentage }) => newPercentage))).toBe(100);
  });

  const baseIngredients = [
    { name: '水', inciName: 'Aqua', percentage: 80 },
    { name: '乙醇', inciName: 'Alcohol', percentage: 5 },
    { name: '甘油', percentage: 15 },
  ];

  it.each([[['乙醇']], [['Alcohol']], [['乙醇', '乙醇 ']], [['乙醇', 'alcohol']], [['乙醇', '酒石酸']]])(
    'keeps to what must go: %j',
    (excludeIngredients) => {
      const input = { baseIngredients, excludeIngredients };
      const options = presetOptions(input);
      expect(options).toHaveLength(2);
      for (const option of options) {
        expect(keepsToRequest(option, input)).toBe(true);
        expect(option.changes[0]).toEqual({
          action: 'reduce',
          ingredient: '乙醇',
          oldPercentage: 5,
          newPercentage: 0,
        });
      }
    },
  );

  const inEnglish = [
    { name: 'Aqua', percentage: 85 },
    { name: 'Glycerin', percentage: 10 },
    { name: 'Phenoxyethanol', percentage: 5 },
  ];
  const changesOf = (input: ExploreInput) =>
    presetOptions(input).map(({ changes }) =>
      changes.map(
        ({ action, ingredient, oldPercentage, newPercentage }) =>
          `${action} ${ingredient} ${oldPercentage} ${newPercentage}`,
      ),
    );

  it.each(['Glycerin', '甘油', '丙三醇', 'GLYCEROL', '甘 油', 'Gly\u00adcerin'])(
    'knows an ingredient under its everyday names: without %s nothing brings it back',
    (name) => {
      expect(changesOf({ baseIngredients: inEnglish, excludeIngredients: [name] })).toEqual([
        ['reduce Glycerin 10 0', 'add Aqua 85 95'],
      ]);
    },
  );

  it('raises what the base has under another name, and adds no second one', () => {
    expect(changesOf({ baseIngredients: inEnglish, costLimit: 20 })).toEqual([
      [],
      ['add Glycerin 10 11', 'reduce Aqua 85 84'],
    ]);
  });

  it('knows the pairs of names of the catalogue, in both directions', () => {
    const catalogue = new IngredientNames([{ inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇' }]);
    const input = { baseIngredients: inEnglish, catalogue };
    expect(changesOf({ ...input, excludeIngredients: ['苯氧乙醇'] })[0]).toEqual([
      'reduce Phenoxyethanol 5 0',
      'add Aqua 85 90',
    ]);
    const inChinese = [...inEnglish.slice(0, 2), { name: '苯氧乙醇', percentage: 5 }];
    expect(
      changesOf({ catalogue, baseIngredients: inChinese, excludeIngredients: ['phenoxyethanol'] })[0],
    ).toEqual(['reduce 苯氧乙醇 5 0', 'add Aqua 85 90']);
  });

  it('reduces nothing that the base does not have, and says what it has not found', () => {
    const input = { baseIngredients: inEnglish, excludeIngredients: ['Paraben', '角鲨烷'] };
    expect(changesOf(input)[0]).toEqual([]);
    expect(presetOptions(input)[0]!.reasoning).toContain('基础配方中没有:Paraben、角鲨烷。');
  });

  it.each([
    ['Parabens', 'Methylparaben'],
    ['paraben', '羟苯甲酯'],
    ['尼泊金', 'Propylparaben'],
    ['Silicone', 'Dimethicone'],
    ['PEG', 'PEG-40 Hydrogenated Castor Oil'],
    ['carbomers', 'Carbomer'],
    ['蓖麻', '氢化蓖麻油'],
  ])('takes a word of names, such as %s, for all that have it: %s', (word, member) => {
    const baseIngredients = [...inEnglish.slice(0, 2), { name: member, percentage: 5 }];
    expect(changesOf({ baseIngredients, excludeIngredients: [word] })[0]).toEqual([
      `reduce ${member} 5 0`,
      'add Aqua 85 90',
    ]);
  });

  it.each([
    ['Alcohol', 'Cetyl Alcohol'],
    ['Glycerin', 'Polyglycerin-3'],
    ['油', '甘油'],
    ['蓖麻油', '氢化蓖麻油'],
    ['PEG', 'Pegaso Extract'],
  ])('takes no other ingredient for it because its name holds that name: %s, %s', (name, other) => {
    const baseIngredients = [...inEnglish.slice(0, 1), { name: other, percentage: 15 }];
    expect(changesOf({ baseIngredients, excludeIngredients: [name] })[0]).toEqual([]);
  });

  describe('its cost', () => {
    const priced = new IngredientNames([
      { inciName: 'Aqua', chineseName: '水', pricePerKg: 0.01 },
      { inciName: 'Glycerin', chineseName: '甘油', pricePerKg: 12 },
      { inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇', pricePerKg: 90 },
    ]);
    const input = { baseIngredients: inEnglish, catalogue: priced };
    const costs = (asked: ExploreInput) =>
      explorePreset(asked).options.map(({ predictedMetrics }) => predictedMetrics.costEstimate);

    it('is that of the catalogue where all prices are known, and never the limit', () => {
      expect(costs({ ...input, costLimit: 100 })).toEqual([5.71, 5.83]);
      expect(presetOptions({ ...input, costLimit: 100 })[0]!.reasoning).toContain(
        '按目录价格计算,每kg原料成本为5.71。',
      );
      expect(costs({ ...input, costLimit: 5.8 })).toEqual([5.71]);
      expect(explorePreset({ ...input, costLimit: 5 })).toEqual({
        options: [],
        faults: ['over-cost-limit', 'over-cost-limit'],
      });
    });

    it('is said to be unknown where a price is missing, and then that of what has one', () => {
      const baseIngredients = [...inEnglish.slice(0, 2), { name: '角鲨烷', percentage: 5 }];
      const unknown = { ...input, baseIngredients, costLimit: 20 };
      expect(costs(unknown)).toEqual([1.21, 1.33]);
      expect(presetOptions(unknown)[0]!.reasoning).toContain('成本未知:1种成分没有可用的目录价格(角鲨烷)');
      // The known part alone is above it.
      expect(costs({ ...unknown, costLimit: 1 })).toEqual([]);
    });

    it('is unknown of a base that is not complete', () => {
      const half = { ...input, baseIngredients: inEnglish.slice(1) };
      expect(presetOptions(half)[0]!.reasoning).toContain('成本未知:基础配方的合计不是100%');
    });
  });

  it('has no variant of a request that contradicts itself, and says why', () => {
    const contradiction = { keepIngredients: ['甘油'], excludeIngredients: ['Glycerin'] };
    expect(explorePreset({ baseIngredients: inEnglish, ...contradiction })).toEqual({
      options: [],
      faults: ['kept-ingredient'],
    });
    const all = { baseIngredients: inEnglish, excludeIngredients: ['Aqua', 'Glycerin', 'Phenoxyethanol'] };
    expect(explorePreset(all)).toEqual({ options: [], faults: ['percentages'] });
  });

  it('takes a negative amount for none', () => {
    const baseIngredients = [...inEnglish, { name: '香精', percentage: -1 }];
    for (const { changes } of presetOptions({ baseIngredients, excludeIngredients: ['香精', '甘油'] })) {
      for (const { oldPercentage, newPercentage } of changes) {
        expect(Math.min(oldPercentage ?? 0, newPercentage)).toBeGreaterThanOrEqual(0);
      }
    }
  });
});
