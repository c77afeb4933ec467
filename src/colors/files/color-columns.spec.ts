import { plainName } from '../../files/mapping/names';
import { mapColumns } from '../../files/mapping/column-mapping';
import { COLOR_COLUMNS } from './color-columns';

/** The fields that a column of this name could be. */
const fieldsOf = (name: string) =>
  COLOR_COLUMNS.filter(
    ({ field, aliases, pattern }) =>
      [field, ...aliases].some((alias) => plainName(alias) === plainName(name)) ||
      pattern?.test(plainName(name)),
  ).map(({ field }) => field);

describe('COLOR_COLUMNS', () => {
  it.each([
    ...[
      'L',
      'L*',
      'L*(D65)',
      'L* (D65/10°)',
      'L* D65/10',
      'D65 L*',
      'CIE L*',
      'CIELAB L*',
      'Ｌ＊',
      'L*（D65）',
    ],
    ...[
      '目标L',
      '目标L*',
      '目標L*',
      '标准L*',
      '标样L*',
      'target L*',
      'Standard L*',
      'Std. L*',
      'LAB_L',
      'L*(SCI)',
      'L value',
      'L值',
    ],
  ])('%s is the target', (name) => {
    expect(fieldsOf(name)).toEqual(['L']);
    expect(fieldsOf(name.replace(/L(?!AB)|Ｌ/, 'a'))).toEqual(['a']);
    expect(fieldsOf(name.replace(/L(?!AB)|Ｌ/, 'b'))).toEqual(['b']);
  });

  it.each([
    '实测L',
    '实测L*',
    '實測L*',
    '样品L*',
    '试样L*',
    'measured L*',
    'actual_L',
    'Sample L*',
    'Batch L* (D65)',
    'Bat L*',
    'Ist L*',
  ])('%s is the measurement', (name) => {
    expect(fieldsOf(name)).toEqual(['measuredL']);
    expect(fieldsOf(name.replace('L', 'a'))).toEqual(['measuredA']);
    expect(fieldsOf(name.replace('L', 'b'))).toEqual(['measuredB']);
  });

  it.each([
    'ΔE',
    'ΔE*',
    'ΔE00',
    'ΔE*00',
    '∆E00',
    '△E*ab',
    'dE',
    'dE2000',
    'DE*ab',
    'delta E',
    'CIEDE2000',
    'ΔE (D65)',
    '色差',
  ])('%s is the difference', (name) => expect(fieldsOf(name)).toEqual(['deltaE']));

  it.each([
    'CI 77491',
    'CI 77491 (%)',
    '氧化铁红',
    '钛白粉',
    'Iron Oxide Red',
    'D&C Red No. 7',
    'Red 7 Lake',
    'TiO2',
  ])('refuses %s: a column of a colorant is no composition', (name) =>
    expect(() => mapColumns(['name', 'L', 'a', 'b', name], COLOR_COLUMNS)).toThrow('looks like composition'),
  );

  it.each(['L*(A/10°)', 'L* (D50)', 'L*(F11)', 'L2', 'L1', 'ΔL*', 'dL', 'C*', 'h°', 'X', 'Lab', 'ab'])(
    '%s is none of them: it is measured otherwise',
    (name) => expect(fieldsOf(name)).toEqual([]),
  );
});
