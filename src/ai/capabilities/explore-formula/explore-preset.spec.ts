import { presetOptions } from './explore-preset';
import { keepsToRequest } from './explore-rules';

describe('The preset of an exploration', () => {
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
