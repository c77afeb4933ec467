import 'reflect-metadata';
import { NumberField, TextField } from '../validation/fields';
import { FileColumn } from './import-column';
import { keyOf, labelOf, planImport } from './plan-import';

class Fields {
  @TextField({ max: 9 })
  @FileColumn()
  name!: string;

  @TextField({ max: 9, presence: 'optional' })
  @FileColumn()
  place?: string | null;

  @NumberField({ presence: 'optional' })
  @FileColumn()
  size?: number | null;

  @TextField({ max: 9, presence: 'optional', default: 'new' })
  state?: string | null;
}

const rules = {
  fields: Fields,
  key: ['name', 'place'] as const,
  records: 'boxes',
  store: 'the store',
};
const stored = (values: object = {}) => ({ id: '1', name: 'Box', place: 'A', size: 1, ...values });

describe('planImport', () => {
  it('creates with the defaults of fields that no file has', () => {
    const { creations } = planImport([{ line: 2, name: 'Box', size: undefined }], [[]], rules);
    expect(creations).toEqual([{ name: 'Box', place: null, size: null, state: 'new' }]);
  });

  it('changes only what is not the key', () => {
    const plan = planImport([{ line: 2, name: 'BOX', place: 'A', size: 0 }], [[stored()]], rules);
    expect(plan).toEqual({ creations: [], changes: [{ id: '1', size: 0 }], unchanged: 0, refused: [] });
  });

  it('names what would tell several records apart, where something would', () => {
    const refused = (draft: object, ...found: object[]) =>
      planImport([{ line: 2, name: 'Box', ...draft }], [found.map(stored)], rules).refused[0]?.reason;
    expect(refused({}, {}, { place: 'B' })).toBe(
      'Box matches 2 boxes of the store: name the place in a column of its own',
    );
    expect(refused({}, {}, {})).toBe('Box matches 2 boxes of the store');
    // The column is there, its cell is empty.
    expect(refused({ place: null }, { place: null }, { place: ' ' })).toBe(
      'Box matches 2 boxes of the store',
    );
    expect(refused({ place: 'A' }, {}, { place: 'B' }, {})).toBe('Box (A) matches 3 boxes of the store');
  });

  it('refuses each row for itself, in order', () => {
    const rows = [2, 3, 4].map((line) => ({ line, name: 'Box', size: line }));
    const plan = planImport(rows, [[stored()], [], [stored(), stored()]], rules);
    expect(plan.changes).toEqual([{ id: '1', size: 2 }]);
    expect(plan.creations).toEqual([{ name: 'Box', place: null, size: 3, state: 'new' }]);
    expect(plan.refused.map(({ line }) => line)).toEqual([4]);
  });
});

it('the key is the first field regardless of case, and the others exactly', () => {
  const key = (values: object) => keyOf(rules, { line: 2, name: 'Box', ...values });
  expect(key({ name: ' BOX ' })).toBe(key({}));
  expect(key({ place: null })).toBe(key({}));
  expect(key({ place: 'A' })).not.toBe(key({ place: 'a' }));
  expect(labelOf(rules, { line: 2, name: 'Box', place: 'A' })).toBe('Box (A)');
  expect(labelOf(rules, { line: 2, name: 'Box', place: null })).toBe('Box');
});
