import { defineTexts } from '../../platform/texts/define-texts';

export const formulaImportText = defineTexts({
  // Rows.
  'formula-import.no-name': [
    '为空,请在列中写明,或用 name 指定',
    'is empty: name it in a column, or with name',
  ],
  'formula-import.no-ingredient': ['没有任何列写明成分', 'no column names the ingredient'],
  'formula-import.not-whole': [
    '"{value}"不是{min}到{max}之间的整数',
    '"{value}" is no whole number from {min} to {max}',
  ],
  'formula-import.profile': ['不是产品档案: {field}', 'is no profile of a product: {field}'],
  'formula-import.sum-row': ['合计行未读取', 'A row with the sum was not read'],
  'formula-import.other-sum': [
    '第{line}行写明合计{stated},而所属各行相加为{sum}',
    'Row {line} says {stated}, and its lines add up to {sum}',
  ],
  // Ingredients.
  'formula-import.unknown': ['不是原料库中的成分: "{name}"', 'is no ingredient of the catalogue: "{name}"'],
  'formula-import.similar': [
    '不是原料库中的成分: "{name}",名称相近的有 {names}',
    'is no ingredient of the catalogue: "{name}"; similar: {names}',
  ],
  'formula-import.other-name-known': [
    '"{name}"不是原料库中的成分,但"{other}"是 {found}',
    'is no ingredient of the catalogue: "{name}", but "{other}" is {found}',
  ],
  'formula-import.supplier': [
    '原料库中没有供应商"{supplier}"的"{name}"',
    '"{name}" of "{supplier}" is not in the catalogue',
  ],
  'formula-import.other-supplier': [
    '原料库中没有供应商"{supplier}"的"{name}",但有 {found}',
    '"{name}" of "{supplier}" is not in the catalogue, but {found} is',
  ],
  'formula-import.several': [
    '有{count}个成分名为"{name}",请写明 id 或供应商',
    '"{name}" is the name of {count} ingredients: name the id or the supplier',
  ],
  'formula-import.ambiguous': [
    '"{name}"可能是 {names},请写明 INCI 名或供应商',
    '"{name}" may mean {names}: write the INCI name or the supplier that is meant',
  ],
  'formula-import.not-in-catalogue': [
    '"{name}"即 {names},原料库中没有该成分,请先新建,或改写其他成分',
    '"{name}" means {names}, not in the catalogue: create the ingredient, or write another one',
  ],
  'formula-import.other-id': [
    '对应"{found}",而该行写的是"{name}"',
    'is "{found}", and the row names "{name}"',
  ],
  'formula-import.unknown-number': [
    '原料库中没有 CAS 号为 {number} 的成分',
    'no ingredient of the catalogue has CAS number {number}',
  ],
  'formula-import.ambiguous-number': [
    'CAS 号 {number} 对应 {names},请写明 INCI 名或供应商',
    'CAS number {number} is one of {names}: write the INCI name or the supplier that is meant',
  ],
  'formula-import.other-number': [
    '该行写的是"{name}",而 CAS 号 {number} 对应 {names}',
    'the row names "{name}", and CAS number {number} is one of {names}',
  ],
  'formula-import.would-create': [
    '将新建{count}个成分,类别为“其他”(other)',
    '{count} ingredients would be created in the category "other"',
  ],
  'formula-import.created': [
    '已新建{count}个成分,类别为“其他”(other),请随后修改',
    '{count} ingredients were created in the category "other": give them theirs',
  ],
  // Amounts.
  'formula-import.no-density': [
    '是体积,而该原料的档案没有密度: 请在原料档案中填写密度,或改用克数',
    'is a volume, and the card of the raw material has no density: enter it there, or write grams',
  ],
  'formula-import.weighed': [
    '{milliliters} mL × {density} kg/L = {grams} g',
    '{milliliters} mL × {density} kg/L = {grams} g',
  ],
  'formula-import.weighed-row': ['第{line}行: {weighed}', 'Row {line}: {weighed}'],
  'formula-import.second-amount': [
    '同一行已写明百分比或克数,只能填写一种用量',
    'is a second amount: the row has percent or grams, too',
  ],
  'formula-import.two-units': [
    '克数与百分比不能在同一配方中混用',
    'has grams where other lines of the formula have percent, or the other way round',
  ],
  'formula-import.second-balance': [
    '是第二个余量行,每个配方只能有一个',
    'is a second balance line: only one can have the rest',
  ],
  'formula-import.balance-of-percent': [
    '是补足至{total}的余量行,而其他行是百分比',
    'is the balance line to {total}, and others have percent',
  ],
  'formula-import.balance-without-total': [
    '是余量行,但没有写明总质量: 请填写克数,或如"补足至500 g"写明总质量',
    'is the balance line, and nothing says what the total weighs: write its grams, or "to 500 g" for a batch of 500 g',
  ],
  'formula-import.no-balance': [
    '是余量行,而其他行合计已为{sum}',
    'is the balance line, and the others are {sum} already',
  ],
  'formula-import.too-little': ['不足配方的0.0001%', 'is less than 0.0001 percent of the formula'],
  'formula-import.other-grams': [
    '{total} g 中的 {grams} g 为{share}%,而该行的百分比为{percent}%',
    '{grams} g of {total} g are {share} %, and the row has {percent} %',
  ],
  'formula-import.balance-row': ['第{line}行占{share}%', 'row {line} has {share} %'],
  'formula-import.balances': ['余量行: {rows}', 'Balance lines: {rows}'],
  // Formulas.
  'formula-import.too-large': [
    '配方超过{phases}个相或{lines}行',
    'The formula has more than {phases} phases or {lines} lines',
  ],
  'formula-import.not-allowed': ['属于您无权修改的配方', 'is of a formula that you may not change'],
  'formula-import.consequence': ['所属配方的其他行有误', 'is of a formula that has a fault in another row'],
  'formula-import.reason': ['由文件导入 {file}', 'Imported from file {file}'],
  'formula-import.metadata': [
    '文件中{count}个已有配方的名称、说明、项目或产品档案与已保存的不同,均未修改',
    'Name, description, project or profile of stored formulas differ in the file and stay as they are: {count}',
  ],
  'formula-import.unknown-project': [
    '没有名为"{name}"的项目或有多个,其配方不归入项目',
    '"{name}" is no project, or several: its formulas belong to none',
  ],
  // A formula without one of its rows would be another one, also where a balance line makes up for it.
  'formula-import.unreadable': [
    '所有行都能读取之前不会导入: 缺少任何一行都会改变配方',
    'Nothing is imported before every row can be read: a row that is left out would change its formula',
  ],
});
