import type { ImportColumn } from '../../files/mapping/file-column';
import { describeRows } from '../../files/read-import-file';
import { text } from '../../platform/texts/text';
import { PACK_COLUMN, priceFault } from '../ingredient-file';
import { baseOfPrices, baseText, LIKE_PRICE, LIKE_UNIT, PRICE_COLUMN, saysNoPrice } from '../price-column';
import { CardRowDto } from './card.dto';

/** Further names of each column. */
const NAMES = {
  ingredientId: '原料编号',
  ingredient: 'INCI, INCI name, INCI名称, rawMaterial, 原料, 原料名称',
  'supplier.name': 'supplier, vendor, Lieferant, Fournisseur, 供应商, 供应商名称',
  'supplier.code': 'code, article, Artikelnummer, article no, item no, 代码, 原料代码, 货号, 物料编码',
  'supplier.tradeName': 'trade name, Handelsname, product, 商品名, 商品名称, 品名',
  'supplier.price': 'price, unit price, Preis, 单价, 价格',
  'supplier.currency': 'currency, Währung, 币种, 货币',
  'supplier.unit': 'unit, per, unit of measure, UOM, Einheit, 单位, 單位, 计价单位, 計價單位, 计量单位',
  'supplier.minimumOrder': 'MOQ, minimum order, Mindestbestellmenge, 最小起订量, 起订量',
  'supplier.date': 'date, price date, valid from, gültig ab, 日期, 报价日期',
  'supplier.preferred': 'preferred, 首选',
  density: 'Dichte, density (kg/L), density (g/mL), 密度, 密度 (kg/L), 密度 (g/mL), 密度 (g/cm3)',
  strength: 'strength %, concentration, 浓度, 浓度%',
  'solvent.inciName': 'solvent, Lösungsmittel, 溶剂, 溶剂名称, 溶剂INCI',
  'solvent.chineseName': '溶剂中文名, 溶剂中文名称',
  'solvent.casNumber': 'solvent CAS, 溶剂CAS, 溶剂CAS号',
  'solvent.ecNumber': 'solvent EC, 溶剂EC, 溶剂EC号',
  'document.kind': 'document type, 文件类型, 文件类别',
  'document.title': 'document, 文件, 文件名, 文件名称',
  'document.address': 'document URL, 文件地址, 文件链接',
  'document.validUntil': 'valid until, gültig bis, 有效期, 有效期至, 文件有效期, 证书有效期',
};

/** Words of cells that are kinds of documents. */
const KINDS = {
  ...{ spec: 'specification', tds: 'specification', 规格书: 'specification', 质量标准: 'specification' },
  ...{ sds: 'safety-data-sheet', msds: 'safety-data-sheet', 安全技术说明书: 'safety-data-sheet' },
  ...{ 证书: 'certificate', 认证: 'certificate', 声明: 'statement', 声明书: 'statement', 其他: 'other' },
};
const ANSWERS = { yes: true, true: true, 是: true, no: false, false: false, 否: false };

const READING: Readonly<Record<string, Partial<ImportColumn>>> = {
  'supplier.price': { pattern: PRICE_COLUMN, looksLike: LIKE_PRICE, holds: 'price' },
  'supplier.unit': { looksLike: LIKE_UNIT },
  'supplier.preferred': { words: new Map(Object.entries(ANSWERS)) },
  density: { holds: 'number' },
  strength: { holds: 'percent' },
  'document.kind': { words: new Map(Object.entries(KINDS)) },
};

const ROWS = describeRows(
  CardRowDto,
  Object.entries(NAMES).map(([field, names]) => ({ field, aliases: names.split(', '), ...READING[field] })),
);

/** The fields of rows of the export. */
export const CARD_COLUMNS = ROWS.columns;
const PRICE = { price: 'supplier.price', unit: 'supplier.unit' };

/** A cell of a workbook that has a day has the time of its midnight, too. */
const MIDNIGHT = /T00:00:00(?:\.000)?Z$/;

/** Files with rows of cards: those of the export, and price lists of suppliers. */
export const CARDS_FILE: typeof ROWS = {
  ...ROWS,
  columns: [...CARD_COLUMNS, PACK_COLUMN],
  readRow: (line, cell, nameOf = () => undefined) => {
    const price = saysNoPrice(cell('supplier.price')) ? '' : cell('supplier.price');
    const base = price ? baseOfPrices(nameOf('supplier.price') ?? '') : undefined;
    const unit = cell('supplier.unit')?.trim() || undefined;
    const fault = price && priceFault(base ? [base] : [], unit, cell, nameOf, PRICE);
    if (fault) return { faults: [fault] };
    const values: Record<string, string | undefined> = {
      'supplier.price': price,
      'supplier.currency': cell('supplier.currency') || (price && cell('supplier.price.currency')),
      'supplier.unit': unit ?? (base && baseText(base)),
      // In a list without documents, `valid until` is of the price, or of the goods.
      ...(cell('document.title') === undefined && { 'document.validUntil': undefined }),
    };
    const reading = ROWS.readRow(line, (field) =>
      (field in values ? values[field] : cell(field))?.replace(MIDNIGHT, ''),
    );
    const { supplier, document, density, strength, solvent } = reading.draft ?? {};
    const saysNothing = reading.draft && !(supplier ?? document ?? density ?? strength ?? solvent);
    return saysNothing ? { faults: [{ reason: text('card.empty-row') }] } : reading;
  },
};
