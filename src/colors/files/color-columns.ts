import type { ImportRules } from '../../files/compare-rows';
import type { FileImportDescription } from '../../files/file-import';
import type { ImportColumn } from '../../files/mapping/file-column';
import { ColorFormulaFields } from '../color.fields';
import { colorImportText } from './color-import.texts';
import { COLORANT_NAME } from './colorant-list';
import { colorCells, type ColorDraft, readColorRow } from './color-row';
import { LIGHT_NAME, LIGHT_ABOVE, MEASURED, TARGET } from './measurement';

/** Light, observer and geometry of the measurement, which are the same for all colours of the service. */
const MEASURED_UNDER = '(?:cielab|cie|d65(?:(?:10|2|02)(?:°|o|deg|度)?)?|sci|sce)';
const VALUE_WORD = '(?:value|值)?';

/** Matches `L*(D65/10°)`, `CIE L*`, `Standard L*`, `目标L*`, in their plain form. */
const coordinateHeading = (whose: string, letter: string): RegExp =>
  new RegExp(
    `^${MEASURED_UNDER}{0,2}(?:${whose})${MEASURED_UNDER}{0,2}${letter}${VALUE_WORD}${MEASURED_UNDER}{0,2}$`,
  );

/** Matches `ΔE*00`, `dE2000`, `ΔE*ab (D65)`, `CIEDE2000`. */
const DELTA_E = new RegExp(
  `^${MEASURED_UNDER}{0,2}(?:[δ∆△]|d|delta)e(?:00|2000|ab|76|94|cmc|cie2000|cie76|cmc2:?1)?${VALUE_WORD}${MEASURED_UNDER}{0,2}$`,
);

/** Headings about colorants, and colorants as headings. Ignoring such a column could lose the composition. */
const LIKE_COMPOSITION = new RegExp(
  `colou?rant|pigment|composition|zusammensetzung|着色|色料|色粉|色浆|配比|配方|${COLORANT_NAME.source}`,
);

const NAMES = [
  'color',
  'colour',
  'shade',
  'sample',
  'sample name',
  'sample id',
  'standard name',
  'shade name',
  'color name',
];
const CHINESE_NAMES = [
  '名称',
  '颜色',
  '色号',
  '样品',
  '样品名称',
  '试样名称',
  '标样名称',
  '颜色名称',
  '名稱',
  '顏色',
  '色號',
  '樣品名稱',
];

/** Columns of a colour file. */
export const COLOR_COLUMNS: readonly ImportColumn[] = [
  { field: 'id', aliases: [] },
  {
    field: 'name',
    aliases: [...NAMES, 'colour name', ...CHINESE_NAMES],
    required: true,
    holds: 'name',
  },
  {
    field: 'L',
    aliases: ['L*', 'LAB_L'],
    pattern: coordinateHeading(`${TARGET}|`, 'l'),
    required: true,
    holds: 'number',
  },
  {
    field: 'a',
    aliases: ['a*', 'LAB_A'],
    pattern: coordinateHeading(`${TARGET}|`, 'a'),
    required: true,
    holds: 'number',
  },
  {
    field: 'b',
    aliases: ['b*', 'LAB_B'],
    pattern: coordinateHeading(`${TARGET}|`, 'b'),
    required: true,
    holds: 'number',
  },
  { field: 'measuredL', aliases: [], pattern: coordinateHeading(MEASURED, 'l'), holds: 'number' },
  { field: 'measuredA', aliases: [], pattern: coordinateHeading(MEASURED, 'a'), holds: 'number' },
  { field: 'measuredB', aliases: [], pattern: coordinateHeading(MEASURED, 'b'), holds: 'number' },
  { field: 'deltaE', aliases: ['difference', '色差'], pattern: DELTA_E, holds: 'number' },
  {
    field: 'composition',
    aliases: ['colorant composition', 'colorants', '着色剂', '色料配比', '配比'],
    looksLike: LIKE_COMPOSITION,
    holds: 'json',
  },
  { field: 'formulaId', aliases: [] },
];

/** Columns that say how the colour of a row was measured. They are not stored. */
const MEASUREMENT_COLUMNS: readonly ImportColumn[] = [
  { field: 'illuminant', aliases: [], pattern: LIGHT_NAME, heading: LIGHT_ABOVE, above: LIGHT_ABOVE },
  { field: 'observer', aliases: ['观察者', '视场', '标准观察者', 'Beobachter'], isHint: true },
  {
    field: 'mode',
    aliases: [
      'SCI/SCE',
      'specular',
      'specular component',
      'measurement mode',
      '测量模式',
      '模式',
      '镜面反射',
    ],
    isHint: true,
  },
  {
    field: 'kind',
    aliases: ['type', 'sample type', 'Std/Bat', 'standard/batch', '类型', '类别', '样品类型'],
    isHint: true,
  },
];

export const COLOR_RULES: ImportRules<ColorDraft> = {
  fields: ColorFormulaFields,
  key: ['name'],
  sets: ['name', 'targetLab', 'actualLab', 'deltaE', 'colorantComposition', 'formulaId'],
  kind: 'color',
  owned: true,
  ambiguous: (values) => colorImportText('color-import.ambiguous', values),
  incomplete: (values) => colorImportText('color-import.incomplete', values),
  distinguishedBy: 'id',
};

/** Files of colours. */
export const COLOR_FILE: FileImportDescription<ColorDraft> = {
  command: 'colors',
  help: {
    command: 'Colour formulas from a file',
    import: 'Create and update colour formulas from a file; a row is the colour of its id or name',
    export: 'Write the stored colours as a CSV, XLSX or JSON file that import reads',
    file:
      'CSV or XLSX file with a header row: name, L, a, b (CIELAB, D65); measuredL, measuredA, measuredB, ' +
      'deltaE, composition (JSON, or a list like "CI 77491: 2.4; CI 77891: 5.1"), id, formulaId',
  },
  records: 'colours',
  store: 'the stored colours',
  columns: [...COLOR_COLUMNS, ...MEASUREMENT_COLUMNS],
  readRow: readColorRow,
  exported: COLOR_COLUMNS.map(({ field }) => field),
  jsonPaths: {
    ...{ id: 'id', name: 'name', L: 'targetLab.L', a: 'targetLab.a', b: 'targetLab.b' },
    ...{ measuredL: 'actualLab.L', measuredA: 'actualLab.a', measuredB: 'actualLab.b' },
    ...{ deltaE: 'deltaE', composition: 'colorantComposition', formulaId: 'formulaId' },
  },
  cellsOf: colorCells,
  keyOf: ({ id, name }) => ({ key: id as string, label: name as string }),
  owned: true,
};
