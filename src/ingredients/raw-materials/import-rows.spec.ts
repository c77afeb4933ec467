import { render } from '../../platform/texts/text';
import { substancesOfRows } from './import-rows';
import type { SubstanceRowDto } from './raw-material.dto';

const row = (inciName: string, share: object): SubstanceRowDto => ({
  ingredient: 'Extract',
  inciName,
  ...share,
});

function read(...rows: SubstanceRowDto[]) {
  const candidates = rows.map(() => ['id']);
  const { substances, faults } = substancesOfRows(rows, candidates, (index, field) => `${index} ${field}`);
  return {
    shares: substances.get('id')?.map(({ minPercentage, maxPercentage }) => [minPercentage, maxPercentage]),
    faults: faults.map(({ field, message }) => `${field}: ${render(message)}`),
  };
}

it.each([
  [200, []],
  [201, ['0 inciName: 每个原料的物质不能超过200项,当前为201项']],
])('an ingredient has at most 200 substances: %d', (count, faults) => {
  const rows = Array.from({ length: count }, (_, at) =>
    row(`S${at}`, { percentage: at === 0 ? 100 - (count - 1) / 4 : 0.25 }),
  );
  expect(read(...rows).faults).toEqual(faults);
});

it('two columns make a range, whose bounds may be the same', () => {
  const range = (minPercentage: number, maxPercentage: number) => ({ minPercentage, maxPercentage });
  expect(read(row('A', range(40, 40)), row('B', range(60, 61)))).toEqual({
    shares: [
      [40, 40],
      [60, 61],
    ],
    faults: [],
  });
  expect(read(row('A', range(41, 40)), row('B', range(60, 61))).faults).toEqual([
    '0 minPercentage: 范围的下限41不能大于上限40',
  ]);
});
