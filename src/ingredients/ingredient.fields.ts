import { FileColumn } from '../common/import/import-column';
import { EnumField, NumberField, TextField } from '../common/validation/fields';
import { IdField, TimestampField } from '../common/validation/record-fields';
import { FUNCTION_CATEGORIES, type FunctionCategory, readCategory } from './function-category';

/** An ingredient of the catalogue: every field once, for requests, responses and files. */
export class IngredientFields {
  @IdField()
  id!: string;

  @TextField({ max: 200, description: 'International name (INCI)', example: 'Glycerin' })
  @FileColumn({ aliases: ['INCI', 'INCI name', 'INCI名称', 'INCI 名'] })
  inciName!: string;

  @TextField({ max: 200, example: '甘油' })
  @FileColumn({ aliases: ['Chinese name', '中文名', '中文名称', '标准中文名称'] })
  chineseName!: string;

  @EnumField({ values: FUNCTION_CATEGORIES, enumName: 'FunctionCategory', example: 'humectant' })
  @FileColumn({
    aliases: ['category', 'function category', '类别', '功能类别', '分类'],
    read: readCategory,
  })
  functionCategory!: FunctionCategory;

  @TextField({ max: 200, presence: 'optional', example: '某某化工' })
  @FileColumn({ aliases: ['vendor', '供应商'] })
  supplier?: string | null;

  @TextField({ max: 200, presence: 'optional', default: 'kg', description: 'Default kg', example: 'kg' })
  @FileColumn({ aliases: ['单位'] })
  unit?: string | null;

  @NumberField({ min: 0, presence: 'optional', description: 'Currency per unit', example: 12.5 })
  @FileColumn({ aliases: ['price', 'unit price', '单价', '价格'] })
  unitPrice?: number | null;

  @TextField({ max: 2000, presence: 'optional', example: '植物来源' })
  // It may begin or end with white space on purpose (a list, say).
  @FileColumn({ aliases: ['说明', '描述', '备注'], trim: false })
  description?: string | null;

  @TimestampField()
  createdAt!: string;
}
