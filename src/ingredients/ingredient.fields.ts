import { EnumField, NumberField, TextField } from '../platform/validation/fields';
import { IdField, TimestampField } from '../platform/validation/record-fields';
import { FileColumn } from '../files/mapping/file-column';
import { FUNCTION_CATEGORIES, type FunctionCategory, readCategory } from './function-category';
import { LIKE_PRICE, LIKE_SUPPLIER, LIKE_UNIT, PRICE_COLUMN } from './price-column';

/** An ingredient of the catalogue. Defines every field once, for requests, responses and files. */
export class IngredientFields {
  @IdField()
  id!: string;

  @TextField({ max: 200, description: 'International name (INCI)', example: 'Glycerin' })
  @FileColumn({
    aliases: [
      'INCI',
      'INCI name',
      'INCI名称',
      'INCI名稱',
      'INCI 名',
      'INCI-Bezeichnung',
      'Nom INCI',
      'Nome INCI',
    ],
    holds: 'name',
  })
  inciName!: string;

  @TextField({ max: 200, example: '甘油' })
  @FileColumn({ aliases: ['Chinese name', '中文名', '中文名称', '中文名稱', '标准中文名称'], holds: 'name' })
  chineseName!: string;

  @EnumField({ values: FUNCTION_CATEGORIES, enumName: 'FunctionCategory', example: 'humectant' })
  @FileColumn({
    aliases: ['category', 'function category', '类别', '功能类别', '分类', '類別', '功能類別', '分類'],
    read: readCategory,
  })
  functionCategory!: FunctionCategory;

  @TextField({ max: 200, presence: 'optional', example: '某某化工' })
  @FileColumn({
    aliases: [
      'vendor',
      'supplier name',
      'vendor name',
      '供应商',
      '供应商名称',
      '供货商',
      '供應商',
      'Lieferant',
      'Fournisseur',
      'Fornitore',
      'Proveedor',
    ],
    looksLike: LIKE_SUPPLIER,
    holds: 'name',
  })
  supplier?: string | null;

  @TextField({ max: 200, presence: 'optional', default: 'kg', description: 'Default kg', example: 'kg' })
  @FileColumn({
    aliases: ['单位', '計價單位', '單位', '计价单位', '计量单位', 'unit of measure', 'UOM', 'Einheit'],
    looksLike: LIKE_UNIT,
  })
  unit?: string | null;

  @NumberField({ min: 0, presence: 'optional', description: 'Currency per unit', example: 12.5 })
  @FileColumn({
    aliases: ['price', 'unit price', '单价', '价格', '單價', '價格'],
    pattern: PRICE_COLUMN,
    looksLike: LIKE_PRICE,
    holds: 'price',
  })
  unitPrice?: number | null;

  @TextField({ max: 2000, presence: 'optional', example: '植物来源' })
  // Leading and trailing white space may be intended (in a list, for example).
  @FileColumn({ aliases: ['说明', '描述', '备注', '說明', '備註'], trim: false })
  description?: string | null;

  @TimestampField()
  createdAt!: string;
}
