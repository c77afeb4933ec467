import type { ImportColumn } from '../../common/import/import-column';
import type { ColorField } from './color-row';

/** Columns of a colour file. */
export const COLOR_COLUMNS: readonly ImportColumn<ColorField>[] = [
  { field: 'name', aliases: ['color', 'colour', 'shade', '名称', '颜色', '色号'], required: true },
  { field: 'L', aliases: ['L*', 'target L', 'target L*', '目标L'], required: true },
  { field: 'a', aliases: ['a*', 'target a', 'target a*', '目标a'], required: true },
  { field: 'b', aliases: ['b*', 'target b', 'target b*', '目标b'], required: true },
  { field: 'measuredL', aliases: ['measured L*', 'actual L', 'actual L*', '实测L'] },
  { field: 'measuredA', aliases: ['measured a*', 'actual a', 'actual a*', '实测a'] },
  { field: 'measuredB', aliases: ['measured b*', 'actual b', 'actual b*', '实测b'] },
  { field: 'deltaE', aliases: ['dE', 'ΔE', 'difference', '色差'] },
  { field: 'composition', aliases: ['colorant composition', 'colorants', '着色剂', '色料配比', '配比'] },
];
