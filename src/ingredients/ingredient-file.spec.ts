import { inEnglish } from '../../test/support/reasons';
import { INGREDIENT_FILE, readIngredientRow } from './ingredient-file';

const read = (row: Record<string, string>) => inEnglish(readIngredientRow(7, (field) => row[field]));
const names = { inciName: 'Glycerin', chineseName: '甘油' };

describe('readIngredientRow', () => {
  it('reads every column', () => {
    const { draft, faults } = read({
      inciName: ' Glycerin ',
      chineseName: '甘油',
      functionCategory: 'Humectant',
      cosingFunctions: 'Solvent, Humectant',
      supplier: ' BASF ',
      unit: 'g',
      unitPrice: ' 12.5 ',
      description: ' a\n b ',
    });
    expect(faults).toEqual([]);
    expect(draft).toEqual({
      line: 7,
      inciName: 'Glycerin',
      chineseName: '甘油',
      functionCategory: 'humectant',
      suggestedCategory: 'humectant',
      supplier: 'BASF',
      unit: 'g',
      unitPrice: 12.5,
      description: ' a\n b ',
    });
  });

  it('says nothing about what has no column or an empty cell', () => {
    const empty = { chineseName: ' ', functionCategory: '', unit: '', unitPrice: '', description: '  ' };
    const invisible = {
      chineseName: '\u3164',
      unit: '\u200b',
      unitPrice: '\u00ad',
      description: '\u2800\ufe0f',
    };
    for (const row of [{}, empty, invisible]) {
      const { draft } = read({ inciName: 'Glycerin', ...row });
      expect(draft).toStrictEqual({
        line: 7,
        inciName: 'Glycerin',
        chineseName: undefined,
        functionCategory: undefined,
        suggestedCategory: undefined,
        unit: undefined,
        unitPrice: undefined,
        description: undefined,
      });
    }
  });

  it('tells a file without a supplier column from an empty supplier', () => {
    expect(read(names).draft).not.toHaveProperty('supplier');
    expect(read({ ...names, supplier: ' ' }).draft).toHaveProperty('supplier', null);
  });

  it('suggests a category from CosIng functions, also from none', () => {
    expect(read({ ...names, cosingFunctions: 'Preservative' }).draft?.suggestedCategory).toBe('preservative');
    expect(read({ ...names, cosingFunctions: '' }).draft?.suggestedCategory).toBe('other');
    expect(read({ ...names, cosingFunctions: 'Humectent' }).remarks).toEqual([
      '"Humectent" is no CosIng function and was not used',
    ]);
  });

  it.each([
    ['ph adjuster', 'ph_adjuster'],
    ['PH-ADJUSTER', 'ph_adjuster'],
    ['乳化剂', 'emulsifier'],
    ['保湿剂', 'humectant'],
    ['增稠剂', 'thickener'],
    ['防腐剂', 'preservative'],
    ['抗氧化剂', 'antioxidant'],
    ['香精', 'fragrance'],
    ['香料', 'fragrance'],
    ['着色剂', 'colorant'],
    ['pH调节剂', 'ph_adjuster'],
    ['防晒剂', 'sunscreen'],
    ['表面活性剂', 'surfactant'],
    ['润肤剂', 'emollient'],
    ['其他', 'other'],
  ])('knows the category %p', (functionCategory, expected) => {
    expect(read({ ...names, functionCategory }).draft?.functionCategory).toBe(expected);
  });

  it.each([
    ['0', 0],
    ['.5', 0.5],
    ['1e3', 1000],
    ['+2.50', 2.5],
    ['0.1', 0.1],
  ])('reads the price %p', (unitPrice, expected) => {
    expect(read({ ...names, unitPrice }).draft?.unitPrice).toBe(expected);
  });

  it.each(['询价', ' 面议 ', 'on request', 'P.O.A.', 'auf Anfrage', 'ＴＢＤ'])(
    '%j is no price, and the report says so under the name of the column',
    (unitPrice) => {
      const row: Record<string, string> = { ...names, unitPrice };
      const nameOf = (field: string) => (field === 'unitPrice' ? '含税单价' : field);
      const { draft, faults, remarks } = inEnglish(readIngredientRow(7, (field) => row[field], nameOf));
      expect({ faults, remarks }).toEqual({
        faults: [],
        remarks: ['"含税单价": prices on request are no prices'],
      });
      expect(draft?.unitPrice).toBeUndefined();
    },
  );

  it.each([
    [{ inciName: '' }, /^inciName: is empty$/],
    [{ inciName: '  ' }, /^inciName: is empty$/],
    [{ inciName: '\u200b\u3164' }, /^inciName: is empty$/],
    [{ inciName: '\u0001' }, /^inciName: is empty$/],
    [{ inciName: 'x'.repeat(201) }, /^inciName: is longer than 200 characters$/],
    [{ chineseName: '油'.repeat(201) }, /^chineseName: is longer than 200/],
    [{ supplier: 'x'.repeat(201) }, /^supplier: is longer/],
    [{ description: 'x'.repeat(2001) }, /^description: is longer than 2000/],
    [{ chineseName: 'a\u0000' }, /^chineseName: contains a NUL/],
    [
      { functionCategory: 'moisturiser' },
      /^functionCategory: "moisturiser" is no category.*emulsifier, humectant/,
    ],
    [{ functionCategory: 'constructor' }, /^functionCategory: "constructor" is no category/],
    [{ unitPrice: '-5' }, /^unitPrice: must not be negative, is -5$/],
    [{ unitPrice: '12,50' }, /^unitPrice: "12,50" is not a number/],
    [{ unitPrice: '1,234.50' }, /not a number/],
    [{ unitPrice: '¥12' }, /not a number/],
    [{ unitPrice: '0x10' }, /not a number/],
    [{ unitPrice: 'Infinity' }, /not a number/],
    [{ unitPrice: 'NaN' }, /not a number/],
    [{ unitPrice: '1e999' }, /not a number/],
  ])('refuses %p', (row, reason) => {
    const { draft, faults } = read({ ...names, ...row });
    expect(draft).toBeUndefined();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(reason);
  });

  it('takes texts of exactly the longest length, counted in characters', () => {
    expect(read({ inciName: '𠮷'.repeat(200) }).draft).toBeDefined();
    expect(read({ ...names, description: 'x'.repeat(2000) }).draft).toBeDefined();
  });

  it('names every fault of a row', () => {
    expect(read({ inciName: '', unitPrice: 'x', functionCategory: 'y' }).faults).toHaveLength(3);
  });

  it('remarks on a row that it refuses, too', () => {
    expect(read({ ...names, unitPrice: 'x', cosingFunctions: 'Humectent' })).toMatchObject({
      faults: [expect.stringContaining('unitPrice')],
      remarks: ['"Humectent" is no CosIng function and was not used'],
    });
  });
});

describe('ingredient files', () => {
  it('are described to the command line', () => {
    expect(INGREDIENT_FILE).toMatchObject({
      command: 'ingredients',
      records: 'ingredients',
      store: 'the catalogue',
      readRow: readIngredientRow,
      exported: [
        ...['inciName', 'chineseName', 'functionCategory', 'supplier', 'unit', 'unitPrice', 'description'],
        ...['casNumbers', 'ecNumbers', 'synonyms', 'tradeNames'],
      ],
    });
    expect(INGREDIENT_FILE.owned).toBeUndefined();
  });

  it.each([
    ['inciName', ['INCI', 'INCI name', 'INCI名称', 'INCI 名']],
    ['chineseName', ['Chinese name', '中文名', '中文名称', '标准中文名称']],
    ['functionCategory', ['category', 'function category', '类别', '功能类别', '分类']],
    ['supplier', ['vendor', '供应商']],
    ['unit', ['单位']],
    ['unitPrice', ['price', 'unit price', '单价', '价格']],
    ['description', ['说明', '描述', '备注']],
    ['cosingFunctions', ['CosIng functions', 'function', 'functions', 'COSING 功能']],
  ])('know the column %s by its usual names', (field, names) => {
    const column = INGREDIENT_FILE.columns.find((it) => it.field === field);
    expect(column?.aliases).toEqual(expect.arrayContaining(names));
    expect(column?.required ?? false).toBe(field === 'inciName');
  });
});
