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
