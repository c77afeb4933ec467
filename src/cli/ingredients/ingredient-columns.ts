import type { IngredientField } from '../../ingredients/catalogue/ingredient-row';
import type { FieldSpec } from '../table/column-mapping';

/** Columns of an ingredient file, in the order in which an export writes those it has. */
export const INGREDIENT_COLUMNS: readonly FieldSpec<IngredientField>[] = [
  { field: 'inciName', aliases: ['INCI', 'INCI name', 'INCI名称', 'INCI 名'], required: true },
  { field: 'chineseName', aliases: ['Chinese name', '中文名', '中文名称', '标准中文名称'] },
  { field: 'functionCategory', aliases: ['category', 'function category', '类别', '功能类别', '分类'] },
  { field: 'supplier', aliases: ['vendor', '供应商'] },
  { field: 'unit', aliases: ['单位'] },
  { field: 'unitPrice', aliases: ['price', 'unit price', '单价', '价格'] },
  { field: 'description', aliases: ['说明', '描述', '备注'] },
  { field: 'cosingFunctions', aliases: ['CosIng functions', 'function', 'functions', 'COSING 功能'] },
];
