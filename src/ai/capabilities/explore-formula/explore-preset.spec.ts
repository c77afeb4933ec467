import { presetOptions } from './explore-preset';
import { keepsToRequest } from './explore-rules';

describe('The preset of an exploration', () => {
  it('is two variants that say what they are', () => {
    const predictedMetrics = (stabilityScore: number) => ({ costEstimate: 20, stabilityScore });
    const glycerin = { action: 'add', ingredient: '甘油', oldPercentage: null, newPercentage: 1 };
    expect(presetOptions({ costLimit: 20, baseFormulaName: ' ' })).toEqual([
      {
        name: '基础配方 · 预设方案一',
        changes: [],
        predictedMetrics: predictedMetrics(70),
        reasoning: '预设方案,未经模型分析,不可直接用于生产。仅落实必须的调整,其余不变。',
      },
      {
        name: '基础配方 · 预设方案二',
        changes: [glycerin],
        predictedMetrics: predictedMetrics(68),
        reasoning: '预设方案,未经模型分析,不可直接用于生产。在必须的调整之外,略微提高保湿剂用量。',
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
});
