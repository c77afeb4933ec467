import { NumberField } from '../platform/validation/fields';
import { describeRows } from './read-import-file';

class Share {
  @NumberField({ presence: 'optional', example: 1 })
  percentage?: number;

  @NumberField({ presence: 'optional', example: 1 })
  size?: number;
}

it('reads percent with and without the sign, and other numbers without', () => {
  const { readRow } = describeRows(Share, [
    { field: 'percentage', aliases: [], holds: 'percent' },
    { field: 'size', aliases: [], holds: 'number' },
  ]);
  const read = (row: Record<string, string>) => readRow(2, (field) => row[field]);
  expect(read({ percentage: '5.5 %', size: '2' }).draft).toMatchObject({ line: 2, percentage: 5.5, size: 2 });
  expect(read({ percentage: '5.5' }).draft).toMatchObject({ percentage: 5.5 });
  expect(read({ size: '5%' }).faults).toMatchObject([{ field: 'size' }]);
  expect(read({ percentage: '5%%' }).faults).toHaveLength(1);
});
