import { fileImportOf } from '../files/file-import';
import { IngredientImportService } from './ingredient-import.service';
import { readIngredientRow } from './ingredient-row';

const description = fileImportOf(IngredientImportService)!;

describe('ingredient files', () => {
  it('are described to the command line', () => {
    expect(description).toMatchObject({
      command: 'ingredients',
      records: 'ingredients',
      store: 'the catalogue',
      readRow: readIngredientRow,
      exported: [
        ...['inciName', 'chineseName', 'functionCategory', 'supplier', 'unit', 'unitPrice', 'description'],
      ],
    });
    expect(description.owned).toBeUndefined();
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
    const column = description.columns.find((it) => it.field === field);
    expect(column?.aliases).toEqual(expect.arrayContaining(names));
    expect(column?.required ?? false).toBe(field === 'inciName');
  });
});
