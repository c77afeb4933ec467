import { describeRows } from '../../files/read-import-file';
import { SubstanceRowDto } from './raw-material.dto';

const ROWS = describeRows(SubstanceRowDto, [
  { field: 'ingredientId', aliases: ['原料编号'] },
  { field: 'ingredient', aliases: ['rawMaterial', '原料', '原料名称', '原料INCI名称'] },
  { field: 'supplier', aliases: ['供应商'] },
  { field: 'inciName', aliases: ['INCI', 'substance', '物质', 'INCI名称'], required: true },
  { field: 'chineseName', aliases: ['中文名', '中文名称', '标准中文名称'] },
  { field: 'casNumber', aliases: ['CAS', 'CAS No', 'CAS号'] },
  { field: 'ecNumber', aliases: ['EC', 'EC No', 'EINECS', 'EC号'] },
  { field: 'percentage', aliases: ['%', '百分比', '含量', '含量%'], holds: 'percent' },
  { field: 'minPercentage', aliases: ['min', 'min %', '最小值', '含量下限'], holds: 'percent' },
  { field: 'maxPercentage', aliases: ['max', 'max %', '最大值', '含量上限'], holds: 'percent' },
  { field: 'role', aliases: ['作用', '用途'] },
]);

/** `80-90`, `5 – 10 %`, `10~20`, `5 to 10`. */
const RANGE = /^(?<min>\d+(?:[.,]\d+)?)\s*(?:%\s*)?(?:[-–—~～至]|to)\s*(?<max>\d+(?:[.,]\d+)?)\s*%?$/;

/** Files with a row for each substance: those of the export, and tables of suppliers. */
export const SUBSTANCES_FILE: typeof ROWS = {
  ...ROWS,
  readRow: (line, cell) => {
    const { min, max } = RANGE.exec(cell('percentage')?.trim() ?? '')?.groups ?? {};
    const bounds: Record<string, string | undefined> = {
      percentage: '',
      minPercentage: min,
      maxPercentage: max,
    };
    const isRange = min !== undefined && !cell('minPercentage') && !cell('maxPercentage');
    return ROWS.readRow(line, (field) =>
      isRange && field in bounds ? bounds[field]?.replace(',', '.') : cell(field),
    );
  },
};
