import { defineTexts } from '../../platform/texts/define-texts';

export const colorImportText = defineTexts({
  'color-import.ambiguous': [
    '{label} 对应{count}个已保存的颜色,请在 id 列中写明是哪一个',
    '{label} matches {count} colours of the stored colours{hint}',
  ],
  'color-import.incomplete': [
    '没有名为 {label} 的颜色,新建还缺少 {fields}',
    '{label} is not in the stored colours, and to create it {fields} is missing',
  ],
  'color-import.not-allowed': ['是您无权修改的颜色', 'is a colour that you may not change'],
  'color-import.not-linked': [
    '以下行的"formulaId"不是您可查看的配方,未建立关联: {lines}',
    'Rows whose formulaId names no formula that you may read are not linked: {lines}',
  ],
  'color-import.own-numbers': [
    '"id"列是您自己的编号,各行按名称查找颜色',
    'The column "id" has numbers of your own: rows find their colours by name',
  ],
  'color-import.unknown-light': [
    '"{value}"不是已知的光源(如 D65、A、F11)',
    '"{value}" is no known light (such as D65, A, F11)',
  ],
  'color-import.no-light': [
    '没有光源,而文件中其他行是在 D65 以外的光源下测量的',
    'names no light, and other rows of the file are measured under another one than D65',
  ],
  'color-import.other-light': [
    '以下行不是在 D65 下测量的,未导入({light}): {lines}',
    'Rows that are not measured under D65 are left out ({light}): {lines}',
  ],
  'color-import.measured-differently': [
    '同名的行测量条件不同({conditions}),请只保留一种',
    'rows of this name are measured differently ({conditions}): leave only one of them in the file',
  ],
  'color-import.standard-and-batch': [
    '是同一颜色的标准样和试样,无法合并: 请写在一行中,用 L、a、b 和 measuredL、measuredA、measuredB',
    'is a standard or a batch, and which belong together is not clear: put both into one row, with L, a, b and measuredL, measuredA, measuredB',
  ],
  'color-import.joined': [
    '标准样和试样合并为一个颜色的目标值和实测值(行号): {lines}',
    'A standard and its batch became target and measurement of one colour (lines): {lines}',
  ],
  'color-import.characters': ['含有无法保存的字符', 'contains characters that cannot be stored'],
  'color-import.content': [
    '含有无法保存的字符或数字,或嵌套过深',
    'contains characters or numbers that cannot be stored, or is nested too deeply',
  ],
  'color-import.too-many-bytes': ['作为 JSON 文本超过{max}字节', 'is longer than {max} bytes as JSON text'],
  'color-import.colorant-twice': ['"{name}"出现两次', 'names "{name}" twice'],
  'color-import.key-twice': ['有重复的键', 'has a key twice'],
  'color-import.no-composition': [
    '既不是 JSON,也不是形如"CI 77491: 2.4; CI 77891: 5.1"的列表',
    'is neither JSON nor a list like "CI 77491: 2.4; CI 77891: 5.1"',
  ],
});
