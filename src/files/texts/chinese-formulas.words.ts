/** The texts of imports of formulas, in the same form as the others. */
export const FORMULA_TEXTS: readonly (readonly [english: string, chinese: string])[] = [
  ['is of a formula that you may not change', '属于您无权修改的配方'],
  ['is of a formula that has a fault in another row', '所属配方的其他行有误'],
  [
    'is no ingredient of the catalogue: "{name}"; similar: {listNames}',
    '不是原料库中的成分: "{name}",名称相近的有 {listNames}',
  ],
  [
    'is no ingredient of the catalogue: "{name}", but "{other}" is {found}',
    '"{name}"不是原料库中的成分,但"{other}"是 {found}',
  ],
  ['no column names the ingredient', '没有任何列写明成分'],
  ['is no ingredient of the catalogue: "{name}"', '不是原料库中的成分: "{name}"'],
  ['"{name}" of "{supplier}" is not in the catalogue', '原料库中没有供应商"{supplier}"的"{name}"'],
  [
    '"{name}" is the name of {count} ingredients: name the id or the supplier',
    '有{count}个成分名为"{name}",请写明 id 或供应商',
  ],
  ['is "{found}", and the row names "{name}"', '对应"{found}",而该行写的是"{name}"'],
  [
    'has grams where other lines of the formula have percent, or the other way round',
    '克数与百分比不能在同一配方中混用',
  ],
  ['is a second balance line: only one can have the rest', '是第二个余量行,每个配方只能有一个'],
  ['is the balance line, and the others are {sum} already', '是余量行,而其他行合计已为{sum}'],
  ['is the balance line to {total}, and others have percent', '是补足至{total}的余量行,而其他行是百分比'],
  [
    'is the balance line, and nothing says what the total is: write its grams, or "to 500" for a batch of 500 g',
    '是余量行,但没有写明总量: 请填写克数,或如"补足至500"写明总量',
  ],
  ['is less than 0.0001 percent of the formula', '不足配方的0.0001%'],
  ['The formula has more than {phases} phases or {lines} lines', '配方超过{phases}个相或{lines}行'],
  [
    '"{name}" of "{supplier}" is not in the catalogue, but {found} is',
    '原料库中没有供应商"{supplier}"的"{name}",但有 {found}',
  ],
  [
    '"{name}" may mean {listNames}: write the INCI name or the supplier that is meant',
    '"{name}"可能是 {listNames},请写明 INCI 名或供应商',
  ],
  [
    '"{name}" means {listNames}, not in the catalogue: create the ingredient, or write another one',
    '"{name}"即 {listNames},原料库中没有该成分,请先新建,或改写其他成分',
  ],
  ['"{value}" is no CAS number', '"{value}"不是有效的 CAS 号'],
  ['no ingredient of the catalogue has CAS number {number}', '原料库中没有 CAS 号为 {number} 的成分'],
  [
    'CAS number {number} is one of {listNames}: write the INCI name or the supplier that is meant',
    'CAS 号 {number} 对应 {listNames},请写明 INCI 名或供应商',
  ],
  [
    'the row names "{name}", and CAS number {number} is one of {listNames}',
    '该行写的是"{name}",而 CAS 号 {number} 对应 {listNames}',
  ],
  [
    '{grams} g of {total} g are {share} %, and the row has {percent} %',
    '{total} g 中的 {grams} g 为{share}%,而该行的百分比为{percent}%',
  ],
  [
    'Name, description or project of stored formulas differ in the file and stay as they are: {count}',
    '文件中{count}个已有配方的名称、说明或项目与已保存的不同,均未修改',
  ],
  ['Balance lines: {listRows}', '余量行: {listRows}'],
  ['row {line} has {share} %', '第{line}行占{share}%'],
  ['A row with the sum was not read', '合计行未读取'],
  ['{count} ingredients would be created in the category "other"', '将新建{count}个成分,类别为“其他”(other)'],
  [
    '{count} ingredients were created in the category "other": give them theirs',
    '已新建{count}个成分,类别为“其他”(other),请随后修改',
  ],
  [
    '"{name}" is no project, or several: its formulas belong to none',
    '没有名为"{name}"的项目或有多个,其配方不归入项目',
  ],
  [
    'Nothing is imported before every row can be read: a row that is left out would change its formula',
    '所有行都能读取之前不会导入: 缺少任何一行都会改变配方',
  ],
];
