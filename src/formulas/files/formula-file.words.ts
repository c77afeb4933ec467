import type { FileImportDescription, FileReading } from '../../files/file-import';
import { NAME_COLUMN_ALIASES } from '../../ingredients/names/import/name-columns.words';
import { FIELD_OF_KIND } from '../../ingredients/names/other-names.dto';
import { type FormulaFileRow, readFormulaRow } from './formula-row';
import { NOTE_ROW, PHASE_LETTER, PHASE_ROW } from './formula-row.words';

export const FORMULA_COLUMNS = [
  'formulaId',
  'formula',
  'project',
  'description',
  'version',
  'versionDescription',
  'phase',
  'phaseOrder',
  'ingredientId',
  'inciName',
  'chineseName',
  'supplier',
  'percentage',
  'processNotes',
  'profile',
] as const;

export type FormulaColumn = (typeof FORMULA_COLUMNS)[number];

const AMOUNT =
  '(?:用量|添加量|加入量|含量|配比|比例|投料量|数量|配合量|amount|quantity|qty|content|dosage|level|menge|anteil|gehalt|quantité|quantità|dose|содержание|количество)';

/** Headings that say percent in Chinese. */
const SHARE = '(?:质量|重量)?(?:百分比|百分率|百分数|百分含量|分数)(?:含量)?(?:%|wt%|%ww)?';

/** Headings that say a volume, as `plainName` makes them. */
const VOLUMES = /(?:[mcdμ]l|floz|lit[er]+s?)$|^l$|vv|vol|体积|升$/;

/** Columns of the export's files, and of tables that laboratories use. */
const COLUMNS: FileImportDescription['columns'] = [
  { field: 'formulaId', aliases: ['formula id', '配方编号', '配方ID'] },
  {
    field: 'formula',
    isTitle: true,
    aliases: ['formula name', '配方', '配方名', '配方名称', '产品名称', '产品'],
  },
  { field: 'project', isTitle: true, aliases: ['project name', '项目', '项目名称'] },
  { field: 'description', isTitle: true, aliases: ['配方说明', '配方描述'] },
  { field: 'version', isTitle: true, aliases: ['version number', '版本', '版本号'], holds: 'number' },
  { field: 'versionDescription', isTitle: true, aliases: ['版本说明', '修改原因'] },
  {
    field: 'phase',
    aliases: ['part', 'phase name', '相', '相别', '组相', '组别', '料相', 'Fase', 'Teil'],
    heading: PHASE_ROW,
    headingInColumn: PHASE_LETTER,
  },
  { field: 'phaseOrder', aliases: ['phase order', '相序', '相序号'], holds: 'number' },
  {
    field: 'ingredient',
    isName: true,
    aliases: [
      'ingredients',
      'raw material',
      'material',
      '原料',
      '原料名',
      '原料名称',
      '成分',
      '成分名称',
      '物料名称',
      'Rohstoff',
      'Rohstoffe',
      'Matière première',
      'Matières premières',
      'Materia prima',
      'Ingrédient',
      '原材料',
      'Ингредиент',
      'Ингредиенты',
      'Сырьё',
    ],
  },
  { field: 'inciName', isName: true, aliases: ['INCI', 'INCI name', 'INCI名', 'INCI名称', 'INCI 名称'] },
  {
    field: 'chineseName',
    isName: true,
    aliases: ['Chinese name', '中文名', '中文名称', '标准中文名称', '原料中文名'],
  },
  { field: 'ingredientId', isName: true, aliases: ['ingredient id', '原料编号', '原料ID', '成分编号'] },
  { field: FIELD_OF_KIND.cas, isName: true, aliases: NAME_COLUMN_ALIASES[FIELD_OF_KIND.cas] },
  { field: 'supplier', aliases: ['vendor', '供应商', '供应商名称', '供货商', 'Lieferant'] },
  {
    field: 'percentage',
    aliases: ['%', 'percent', 'percentage by weight', 'wt%', '%w/w'],
    pattern: new RegExp(`^${AMOUNT}?(?:in)?(?:wt|w/w|ww|mm|gew|质量)?%(?:wt|w/w|ww|mm)?$|^g100g$|^${SHARE}$`),
    looksLike: new RegExp(`^${AMOUNT}$|%`),
    cells: /[%％]$/,
    holds: 'percent',
    isAmount: true,
    volumes: VOLUMES,
  },
  {
    field: 'grams',
    aliases: ['g', 'gram', 'gramm', '克', '克数', '重量克'],
    pattern: new RegExp(
      `^(?:${AMOUNT}|重量|质量|称量|称样量|weight|mass|einwaage|menge)(?:in)?(?:g|grams?|克|kg|千克|公斤)$`,
    ),
    looksLike: new RegExp(
      `^(?:重量|质量|称量|weight|mass|menge|einwaage|batch|批量)|^${AMOUNT}?(?:in)?(?:kg|mg|ml|ppm|gkg|gl)$`,
    ),
    holds: 'number',
    isAmount: true,
    volumes: VOLUMES,
  },
  {
    field: 'milliliters',
    aliases: [],
    // "L" alone may be that of a colour.
    pattern: new RegExp(`^${AMOUNT}?(?:in)?(?:ml|(?<!^)l|(?:milli)?lit(?:er|re)s?|毫升|公?升)$`),
    holds: 'number',
    isAmount: true,
  },
  {
    field: 'processNotes',
    aliases: ['notes', 'process notes', '备注', '工艺', '工艺说明', '操作', '备注说明'],
  },
  { field: 'profile', aliases: ['product profile', '产品档案'], holds: 'json' },
];

/** Paths in the JSON of formulas, as the contract's endpoints return it. */
const JSON_PATHS: FileReading['jsonPaths'] = {
  ...{
    formulaId: 'id',
    formula: 'name',
    project: 'project.name',
    description: 'description',
    profile: 'profile',
  },
  ...{ version: 'versions[].versionNumber', versionDescription: 'versions[].description' },
  ...{ phase: 'versions[].phases[].name', phaseOrder: 'versions[].phases[].sortOrder' },
  ingredientId: 'versions[].phases[].ingredients[].ingredientId',
  inciName: 'versions[].phases[].ingredients[].ingredient.inciName',
  chineseName: 'versions[].phases[].ingredients[].ingredient.chineseName',
  percentage: 'versions[].phases[].ingredients[].percentage',
  processNotes: 'versions[].phases[].ingredients[].processNotes',
};

/** @param name name of the formula, if the file has no column for it */
export const formulaFile = (name?: string): FileReading<FormulaFileRow> => ({
  columns: COLUMNS,
  notes: NOTE_ROW,
  jsonPaths: JSON_PATHS,
  readRow: (line, cell, nameOf) => readFormulaRow(line, cell, name, nameOf),
});

export const FORMULA_FILE: FileImportDescription<FormulaFileRow> = {
  ...formulaFile(),
  command: 'formulas',
  help: {
    command: 'Formulas as files',
    import: 'Create and revise formulas from a file with a row for each line',
    export: 'Write all formulas as a CSV, XLSX or JSON file that import reads',
  },
  records: 'formulas',
  store: 'the laboratory',
  exported: FORMULA_COLUMNS,
  owned: true,
  versioned: true,
  named: formulaFile,
  creates: 'ingredients',
};

/** A small file for the OpenAPI document, which the demo laboratory can import. */
export const IMPORT_EXAMPLE = `配方,相,原料,用量(%)
保湿水,水相,水,余量
保湿水,水相,丁二醇,5
保湿水,后添加,苯氧乙醇,0.5
`;
