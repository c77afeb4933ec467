import 'reflect-metadata';
import { NumberField, TextField } from '../platform/validation/fields';
import { FileColumn } from './mapping/file-column';
import { keyOf, labelOf, planImport } from './import-plan';

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

class Labelled {
  @TextField({ max: 9 })
  @FileColumn()
  name!: string;

  @TextField({ max: 9 })
  @FileColumn()
  label!: string;

  @TextField({ max: 9 })
  @FileColumn()
  kind!: string;
}

const labelled = { ...rules, fields: Labelled, key: ['name'] as const, missing: { label: 'a label' } };
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

  it('counts as unchanged what is no different but for blanks around a stored text', () => {
    const record = { id: '1', name: 'Box', label: ' L ', kind: 'K' };
    const plan = (draft: object) => planImport([{ line: 2, name: 'Box', ...draft }], [[record]], labelled);
    for (const same of [{ label: 'L', kind: 'K' }, { label: 'L' }, {}])
      expect(plan(same)).toMatchObject({ changes: [], unchanged: 1 });
    expect(plan({ label: 'M' })).toMatchObject({
      changes: [{ id: '1', label: 'M', kind: null }],
      unchanged: 0,
    });
  });

  it('creates nothing without what a creation needs, which may be suggested', () => {
    const rows = [{ line: 2, name: 'Box', label: undefined }];
    expect(planImport(rows, [[]], labelled)).toMatchObject({
      creations: [],
      refused: [{ line: 2, reason: 'Box is not in the store, and to create it a label and kind is missing' }],
    });
    const suggest = () => ({ label: 'L', kind: 'K' });
    expect(planImport(rows, [[]], { ...labelled, suggest })).toMatchObject({
      creations: [{ name: 'Box', label: 'L', kind: 'K' }],
      refused: [],
    });
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
  const key3 = ['name', 'place', 'state'] as const;
  expect(labelOf({ key: key3 }, { line: 2, name: 'Box', place: 'A', state: 'new' })).toBe('Box (A, new)');
});
