import { IngredientNames } from '../ingredient-names';
import { presetPrediction } from './predict-formula';

describe('what the preset of a prediction says of cost and amounts', () => {
  const catalogue = new IngredientNames([
    { inciName: 'Aqua', chineseName: '水', pricePerKg: 0.01 },
    { inciName: 'Glycerin', chineseName: '甘油', pricePerKg: 12 },
    { inciName: 'Squalane', chineseName: '角鲨烷' },
  ]);
  const lines = (shares: Record<string, number>) =>
    Object.entries(shares).map(([name, percentage]) => ({ name, percentage, category: 'emollient' }));
  const predict = (shares: Record<string, number>) =>
    presetPrediction({ ingredients: lines(shares), catalogue });

  it('takes the prices of the catalogue under any name', () => {
    const prediction = predict({ 去离子水: 90, glycerol: 10 });
    expect(prediction.costEstimate).toBe(1.21);
    expect(prediction.reasoning).toMatch(/成本:全部按目录价格计算。$/);
  });

  it('takes indicative prices for the rest, and says for how much', () => {
    const prediction = predict({ 水: 80, 角鲨烷: 20 });
    expect(prediction.costEstimate).toBe(9.01);
    expect(prediction.reasoning).toMatch(/成本:用量80%\(1种\)按目录价格计算,其余1种按类别的参考价估算。$/);
  });

  it.each([
    [{ 水: 99.4 }, '用量合计为99.4%,不是100%,结果不可靠。'],
    [{ 水: 60, 甘油: 50 }, '用量合计为110%,不是100%,结果不可靠。'],
    [{ 水: 103, 甘油: -3 }, '1个成分的用量为负数,按0计。1个成分的用量超过100%,按100%计。'],
    [{ 水: 94, Foo: 3, 巴: 3 }, '目录中没有的名称:Foo、巴。'],
    [{ 水: 94, a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, '目录中没有的名称:a、b、c、d、e等6种。'],
  ])('says what is odd about %j', (shares, remark) => {
    expect(predict(shares as Record<string, number>).reasoning).toContain(remark);
  });

  it.each([99.5, 100, 100.5])('finds nothing odd in a sum of %d', (percentage) => {
    expect(predict({ 水: percentage - 50, 甘油: 50 }).reasoning).not.toMatch(/合计|负数|没有的名称/);
  });
});
