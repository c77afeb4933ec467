import { describeRows } from '../../files/read-import-file';
import { CardRowDto } from './card.dto';

const ROWS = describeRows(CardRowDto, [
  { field: 'ingredientId', aliases: ['原料编号'] },
  { field: 'ingredient', aliases: ['INCI', 'INCI name', 'INCI名称', 'rawMaterial', '原料', '原料名称'] },
  {
    field: 'supplier',
    aliases: ['vendor', 'Lieferant', 'Fournisseur', '供应商', '供应商名称'],
    required: true,
  },
  {
    field: 'code',
    aliases: ['article', 'Artikelnummer', 'article no', 'item no', '代码', '原料代码', '货号', '物料编码'],
  },
  { field: 'tradeName', aliases: ['trade name', 'Handelsname', 'product', '商品名', '商品名称', '品名'] },
  { field: 'price', aliases: ['unit price', 'Preis', '单价', '价格'], holds: 'number' },
  { field: 'currency', aliases: ['Währung', '币种', '货币'] },
  { field: 'unit', aliases: ['per', 'Einheit', '单位', '计价单位'] },
  { field: 'minimumOrder', aliases: ['MOQ', 'minimum order', 'Mindestbestellmenge', '最小起订量', '起订量'] },
  { field: 'date', aliases: ['price date', 'valid from', 'gültig ab', '日期', '报价日期'] },
  { field: 'preferred', aliases: ['首选'] },
  { field: 'density', aliases: ['Dichte', '密度', 'density (kg/L)'], holds: 'number' },
]);

/** A cell of a workbook that has a day has the time of its midnight, too. */
const MIDNIGHT = /T00:00:00(?:\.000)?Z$/;

/** Files with a row for each price: those of the export, and price lists of suppliers. */
export const CARDS_FILE: typeof ROWS = {
  ...ROWS,
  readRow: (line, cell) => ROWS.readRow(line, (field) => cell(field)?.replace(MIDNIGHT, '')),
};
