import fc from 'fast-check';
import { mapColumns } from '../../../files/mapping/column-mapping';
import { inEnglish } from '../../../../test/support/reasons';
import { nameKey } from '../../../platform/common/name-forms';
import { NAME_COLUMNS, readNameCells, writtenNames } from './name-columns';

const CAS_HEADERS = ['CAS', 'CAS No.', 'CAS-No', 'CAS Number', 'CAS-Nr.', 'N° CAS', 'CAS号', 'CAS 登录号'];

const read = (cells: Record<string, string>) => {
  const { names, faults, remarks } = readNameCells(
    (field) => cells[field],
    (field) => `column of ${field}`,
  );
  return {
    names: names.map(({ kind, name }) => `${kind} ${name}`),
    faults: inEnglish(faults) as unknown,
    remarks: inEnglish(remarks) as unknown,
  };
};
const namesOf = (cells: Record<string, string>) => read(cells).names;

describe('columns of further names', () => {
  it.each([
    ...CAS_HEADERS.map((header) => [header, 'casNumbers']),
    ['EINECS', 'ecNumbers'],
    ['EINECS / ELINCS No.', 'ecNumbers'],
    ['EC No.', 'ecNumbers'],
    ['别名', 'synonyms'],
    ['Synonyms', 'synonyms'],
    ['Trade Name', 'tradeNames'],
    ['商品名', 'tradeNames'],
    ['Handelsname', 'tradeNames'],
    ['Nom commercial', 'tradeNames'],
  ])('%s is %s', (header, field) => {
    expect([...mapColumns([header], NAME_COLUMNS).index]).toEqual([[field, 0]]);
  });
});

describe('readNameCells', () => {
  it.each([
    ['56-81-5'],
    [' 56-81-5 '],
    ['CAS: 56-81-5'],
    ['５６－８１－５'],
    ['56‑81–5'],
    ['CAS# 56-81-5'],
    ['[56-81-5]'],
    ['56-81-5; 56-81-5'],
  ])('reads the one number in %j', (text) => {
    expect(read({ casNumbers: text })).toEqual({ names: ['cas 56-81-5'], faults: [], remarks: [] });
  });

  it.each([
    '7732-18-5;56-81-5',
    '7732-18-5, 56-81-5',
    '7732-18-5 / 56-81-5',
    '7732-18-5\n56-81-5',
    '7732-18-5 and 56-81-5',
    '7732-18-5(56-81-5)',
    '["7732-18-5","56-81-5"]',
  ])('reads both numbers in %j', (text) => {
    expect(namesOf({ casNumbers: text })).toEqual(['cas 7732-18-5', 'cas 56-81-5']);
  });

  it('says which numbers it did not use', () => {
    expect(read({ casNumbers: '56-81-6; 56-81-5', ecNumbers: '200-289-4' })).toEqual({
      names: ['cas 56-81-5'],
      faults: [],
      remarks: [
        '"column of casNumbers": "56-81-6" is no CAS number and was not used',
        '"column of ecNumbers": "200-289-4" is no EC number and was not used',
      ],
    });
  });

  it.each(['', ' ', '-', '—', '/', 'n/a', 'N.A.', 'none', '无'])('takes %j for no name', (text) => {
    const cells = { casNumbers: text, ecNumbers: text, synonyms: text, tradeNames: text };
    expect(read(cells)).toEqual({ names: [], faults: [], remarks: [] });
  });

  it('has names between semicolons and lines; a comma belongs to its name, and it says so', () => {
    expect(read({ synonyms: 'Glycerol; 丙三醇、甘油\nPropane-1,2,3-triol' })).toEqual({
      names: ['synonym Glycerol', 'synonym 丙三醇', 'synonym 甘油', 'synonym Propane-1,2,3-triol'],
      faults: [],
      remarks: [],
    });
    const { names, remarks } = read({ synonyms: 'Acid, citric' });
    expect(names).toEqual(['synonym Acid, citric']);
    expect(remarks).toEqual([expect.stringContaining('a comma was read as a part of the name')]);
  });

  it('has a name of one kind once, however it is written', () => {
    expect(namesOf({ synonyms: 'Glycerol; GLYCEROL', tradeNames: 'Glycerol' })).toEqual([
      'synonym Glycerol',
      'trade-name Glycerol',
    ]);
  });

  it('refuses names that are too long or too many', () => {
    expect(read({ synonyms: 'x'.repeat(201) }).faults).toEqual([
      'synonyms: has a name longer than 200 characters',
    ]);
    const many = Array.from({ length: 51 }, (_, index) => `name ${index}`).join(';');
    expect(read({ tradeNames: many })).toEqual({
      ...{ names: [], remarks: [] },
      faults: ['tradeNames: has more than 50 names'],
    });
    const fifty = many.slice(0, many.lastIndexOf(';'));
    expect(read({ tradeNames: fifty }).names).toHaveLength(50);
    // Numbers that are not used count, too: each of them is a remark.
    expect(read({ casNumbers: '50-00-1 '.repeat(50) })).toMatchObject({ faults: [] });
    expect(read({ casNumbers: '50-00-1 '.repeat(51) })).toEqual({
      ...{ names: [], remarks: [] },
      faults: ['casNumbers: has more than 50 names'],
    });
    expect(read({ tradeNames: 'a\0b' }).faults).toEqual(['tradeNames: contains a NUL character']);
  });
});

describe('writtenNames', () => {
  it.each([
    [[], ''],
    [['Glycerol', '丙三醇', '1,2-Propanediol'], 'Glycerol; 丙三醇; 1,2-Propanediol'],
    [['a;b'], '["a;b"]'],
    [['Acid, citric', 'Acid'], '["Acid, citric","Acid"]'],
    [['none'], '["none"]'],
    [['[1]'], '[1]'],
    [['["a"]'], String.raw`["[\"a\"]"]`],
  ])('writes %j as %j', (names, cell) => {
    expect(writtenNames(names)).toBe(cell);
  });

  it('writes what is read as the same names, without remarks, as JSON files have them, too', () => {
    const odd = fc.constantFrom(...';；、|,，"[]\\\n\r/-—\'= n/a无x1é');
    const name = fc
      .string({
        unit: fc.oneof(odd, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
        maxLength: 8,
      })
      .map((text) => `x${text}`.replaceAll('\0', '').trim());
    const names = fc.uniqueArray(fc.oneof(name, fc.constantFrom('none', '无', 'N/A', '["a"]', '[x]')), {
      maxLength: 6,
      selector: (text) => nameKey(text),
    });
    fc.assert(
      fc.property(names, (synonyms) => {
        const named = synonyms.filter((text) => nameKey(text) !== '');
        const expected = { names: named.map((text) => `synonym ${text}`), faults: [], remarks: [] };
        expect(read({ synonyms: writtenNames(named) })).toEqual(expected);
        if (named.length > 0) expect(read({ synonyms: JSON.stringify(named) })).toEqual(expected);
      }),
    );
  });
});
