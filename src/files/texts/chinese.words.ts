import { FORMULA_TEXTS } from './chinese-formulas.words';

/**
 * The reasons and notes of imports in Chinese, by their English text. Values of placeholders are copied. A value
 * whose name begins with `rest` is translated as well, and so are the items of one whose name begins with `list`.
 */
export const CHINESE: readonly (readonly [english: string, chinese: string])[] = [
  ...FORMULA_TEXTS,
  // Files.
  ['The file is empty.', '文件为空'],
  ['The file has no header row with column names.', '文件没有包含列名的表头行'],
  ['The header has {count} columns, more than {max}.', '表头有{count}列,超过{max}列'],
  ['The file has more than {max} rows: split it.', '文件超过{max}行,请拆分'],
  [
    'The file is larger than {size}: split it and import the parts one by one.',
    '文件大于{size},请拆分后逐个导入',
  ],
  ['The file takes too much time or memory: split it.', '处理该文件所需的时间或内存过多,请拆分'],
  ['Line {line} has no row that could be the header.', '第{line}行不能作为表头'],
  [
    'The file has no column for {listFields}. Its columns are {listColumns}. Name the right one with map "column={field}".',
    '文件没有 {listFields} 列。现有的列: {listColumns}。请用 map "列名={field}" 指定',
  ],
  [
    'The file has no column "{name}". Its columns are {listColumns}.',
    '文件没有"{name}"列。现有的列: {listColumns}',
  ],
  ['The file has {count} columns named "{name}".', '文件有{count}列名为"{name}"'],
  [
    'The columns "{one}" and "{other}" both mean {field}: leave one out with {option} or name the right one with {choice}.',
    '"{one}"和"{other}"两列都表示 {field}: 请用 {option} 忽略其中一列,或用 {choice} 指定',
  ],
  [
    'The column "{name}" looks like {field} and is not understood: name its field with {choice}, or leave it out with {option}.',
    '"{name}"列可能对应字段 {field},但无法确定: 请用 {choice} 指定其字段,或用 {option} 忽略该列',
  ],
  [
    'Column {letters} has no name, and {count} of its cells are filled: give it a name in the header.',
    '{letters} 列没有列名,却有{count}个单元格有内容,请在表头中填写列名',
  ],
  ['there is no field "{field}"; the fields are {listFields}', '没有字段"{field}",可用字段: {listFields}'],
  ['two columns are mapped to {field}', '有两列对应 {field}'],
  ['"{text}" is not of the form column=field', '"{text}"不是"列=字段"的形式'],
  [
    'The file is an old Excel workbook (XLS) or password-protected: save it as XLSX or CSV.',
    '文件是旧版 Excel 工作簿(XLS)或带有密码,请另存为 XLSX 或 CSV',
  ],
  ['The file is no XLSX workbook: it has no sheet.', '文件不是 XLSX 工作簿,没有工作表'],
  ['An XLSX file has no encoding of its own.', 'XLSX 文件没有编码选项'],
  ['The XLSX file is damaged.', 'XLSX 文件已损坏'],
  ['The XLSX file is encrypted: save it without a password.', 'XLSX 文件已加密,请去掉密码后保存'],
  ['The file is a ZIP archive, but no XLSX workbook.', '文件是 ZIP 压缩包,但不是 XLSX 工作簿'],
  ['The XLSX file holds more than {max} parts.', 'XLSX 文件超过{max}个部件'],
  [
    'The XLSX file unpacks to more than {size}: split it, or save it as CSV.',
    'XLSX 文件解压后超过{size},请拆分或另存为 CSV',
  ],
  ['The XLSX file cannot be read: {reason}', '无法读取 XLSX 文件: {reason}'],
  [
    'All sheets of the workbook are hidden: name one of {listNames} with sheet.',
    '所有工作表都已隐藏,请用 sheet 指定其中之一: {listNames}',
  ],
  ['The workbook has no sheet.', '工作簿没有工作表'],
  [
    'The workbook has no sheet "{name}". Its sheets are {listNames}.',
    '工作簿没有工作表"{name}"。现有的工作表: {listNames}',
  ],
  ['No sheet has a row {row} that could be the header.', '没有工作表的第{row}行可以作为表头'],
  ['The sheet "{name}" is empty.', '工作表"{name}"为空'],
  ['All visible sheets are empty.', '所有可见的工作表都为空'],
  ['The JSON file is incomplete or broken.', 'JSON 文件不完整或格式有误'],
  ['The JSON file is nested more than {max} levels deep.', 'JSON 文件嵌套超过{max}层'],
  [
    'The JSON file is no list of records: {"data":[{…}]} or [{…}].',
    'JSON 文件不是记录列表,应为 {"data":[{…}]} 或 [{…}]',
  ],
  ['The JSON file has a text of more than {max} characters.', 'JSON 文件中有超过{max}个字符的文本'],
  ['The JSON file has no records.', 'JSON 文件没有记录'],
  ['A JSON file has neither a sheet nor a header-row.', 'JSON 文件没有工作表,也没有表头行'],
  ['Broken quoting in the row that starts in line {line}: {rest}', '从第{line}行开始的行引号有误: {rest}'],
  ['Broken quoting in line {line}: {rest}', '第{line}行引号有误: {rest}'],
  ['Broken quoting in {where}: {rest}', '{where}引号有误: {rest}'],
  ['a quote is opened and never closed.', '引号没有闭合'],
  ['the row does not end; is a quote opened there and never closed?', '该行没有结束,引号是否没有闭合?'],
  [
    'text follows a closing quote. A quote inside a quoted cell is written twice ("").',
    '右引号后还有文字。引号内的引号须写两次("")',
  ],
  [
    'a quote stands inside an unquoted cell. Put the whole cell in quotes and write the quote inside twice ("").',
    '未加引号的单元格中有引号。请为整个单元格加引号,其中的引号写两次("")',
  ],
  ['The file is no {encoding} text. Name another encoding.', '文件不是 {encoding} 文本,请指定其他编码'],
  ['The file begins as UTF-16 text and is none. {rest}', '文件开头像 UTF-16 文本,实际不是。{rest}'],
  [
    'Line {line} holds NUL bytes: {how}',
    '第{line}行含有 NUL 字节,文件不是文本或是 UTF-16。请另存为 UTF-8 后重试',
  ],
  ['The file may be UTF-8 text by chance only. {how}', '无法确定文件的编码,请指定编码,或另存为 UTF-8 后重试'],
  [
    'Line {line} is not UTF-8 text. {how}',
    '第{line}行不是 UTF-8 文本,请指定编码(如 gbk、big5),或另存为 UTF-8 后重试',
  ],
  ['Re-create it, or {how}', '请重新生成,或另存为 UTF-8 后重试'],
  [
    'The sheet has more than {max} columns (cell {cell}): {how}',
    '工作表超过{max}列(单元格 {cell}),请删除表格右侧的内容',
  ],
  [
    'The sheet spans more than {max} cells ({rows} rows of {columns}): {how}',
    '工作表超过{max}个单元格({rows}行 × {columns}),请拆分,或删除表格下方或右侧的内容',
  ],
  [
    'The sheet has more than {max} rows (a cell in row {row}): {how}',
    '工作表超过{max}行(第{row}行有单元格),请拆分,或删除表格下方的空行',
  ],
  [
    'Row {line} is the header of another table: import the tables one by one, and say with {option} which row is the header ({example} for this one).',
    '第{line}行是另一个表格的表头,请逐个导入,并用 {option} 指定表头行(此表格为 {example})',
  ],
  // Rows and cells.
  [
    'has {count} cells, the header has {width} (is a cell that contains the separator not in quotes?)',
    '有{count}个单元格,表头有{width}个(含分隔符的单元格是否没有加引号?)',
  ],
  [
    'cell {cell} holds a formula without its result: open the file in Excel and save it',
    '单元格 {cell} 的公式没有计算结果,请在 Excel 中打开并保存文件',
  ],
  [
    'holds a formula without its result: open the file in Excel and save it',
    '的公式没有计算结果,请在 Excel 中打开并保存文件',
  ],
  ['cell {cell} holds the error {error}', '单元格 {cell} 的值是错误 {error}'],
  ['cell {cell} holds a date ({date}) in place of a name', '单元格 {cell} 应为名称,却是日期({date})'],
  [
    'cell {cell} is merged with {other}: give each row a cell of its own',
    '单元格 {cell} 与 {other} 合并,请为每行单独填写',
  ],
  ['is empty', '为空'],
  ['is longer than {max} characters', '超过{max}个字符'],
  ['is longer than {max} bytes as JSON text', '作为 JSON 文本超过{max}字节'],
  ['contains a NUL character', '含有 NUL 字符'],
  ['contains characters that cannot be stored', '含有无法保存的字符'],
  [
    'contains characters or numbers that cannot be stored, or is nested too deeply',
    '含有无法保存的字符或数字,或嵌套过深',
  ],
  [
    '"{value}" is not a number (digits and a decimal point, like {example})',
    '"{value}"不是数字(由数字和小数点组成,如 {example})',
  ],
  ['"{value}" is not a number (digits and a decimal point{like})', '"{value}"不是数字(由数字和小数点组成)'],
  [
    '"{value}" is no category; the categories are {listCategories}',
    '"{value}"不是功能类别,可用类别: {listCategories}',
  ],
  ['"{value}" is not a number (digits and a decimal point)', '"{value}"不是数字(由数字和小数点组成)'],
  ['"{value}" is none of {listValues}', '"{value}"不是以下值之一: {listValues}'],
  ['"{value}" is no id', '"{value}"不是有效的 id'],
  ['"{value}" is no whole number from {min} to {max}', '"{value}"不是{min}到{max}之间的整数'],
  ['must be a whole number, is {value}', '必须是整数,当前为 {value}'],
  ['must not be negative, is {value}', '不能为负数,当前为 {value}'],
  ['must not be below {min}, is {value}', '不能小于{min},当前为 {value}'],
  ['must not be above {max}, is {value}', '不能大于{max},当前为 {value}'],
  ['must be above {min}, is {value}', '必须大于{min},当前为 {value}'],
  [
    '"{value}" is in {currency}, and the column has {listCurrencies}',
    '"{value}"的货币是 {currency},而该列有 {listCurrencies}',
  ],
  [
    '"{value}" could have a decimal comma: the column has numbers with comma and with point',
    '"{value}"的逗号可能是小数点: 该列既有逗号小数,也有点号小数',
  ],
  [
    '"{value}" has another decimal mark than the other cells of its column',
    '"{value}"的小数点与该列其他单元格不同',
  ],
  [
    '"{value}" could be {point} or {comma}, and no other cell of the column tells which',
    '"{value}"可能是 {point} 或 {comma},该列没有其他单元格可以判断',
  ],
  [
    'is per {base}, and prices are per {other} ("{column}")',
    '按 {base} 计,而该列的价格按 {other} 计("{column}")',
  ],
  [
    '"{column}" is in hundredths or thousands: write amounts of the currency',
    '"{column}"以分或万等为单位,请改用元等货币单位填写',
  ],
  [
    'is "{pack}", and "{price}" does not say what it is per: leave the packs out if it is per kg (map "{one}="), or make them the unit (map "{other}=unit")',
    '是"{pack}",而"{price}"没有写明按什么计价: 若按 kg 计价,请忽略规格列(map "{one}="),否则请把规格作为单位(map "{other}=unit")',
  ],
  ['is "{unit}", and prices are per {per} ("{column}")', '是"{unit}",而价格按 {per} 计("{column}")'],
  ['names "{name}" twice', '"{name}"出现两次'],
  ['has a key twice', '有重复的键'],
  ['is neither JSON nor a list like "{example}"', '既不是 JSON,也不是形如"{example}"的列表'],
  ['has more than {max} names', '名称超过{max}个'],
  ['has a name longer than {max} characters', '有名称超过{max}个字符'],
  ['is empty: name it in a column, or with name', '为空,请在列中写明,或用 name 指定'],
  // Records.
  ['would have more than {max} names of a kind', '同类名称将超过{max}个'],
  ['{label} would have more than {max} names of a kind', '{label} 的同类名称将超过{max}个'],
  ['{label} is what line {line} is, too', '{label} 与第{line}行是同一个成分'],
  [
    '{label} may mean {listNames}: write the INCI name that is meant',
    '{label} 可能是 {listNames},请写明 INCI 名',
  ],
  ['is an ingredient that you may not change', '是您无权修改的成分'],
  ['is a colour that you may not change', '是您无权修改的颜色'],
  [
    '{label} matches {count} ingredients of the catalogue{hint}',
    '{label} 对应原料库中的{count}个成分,请用单独的列加以区分',
  ],
  [
    '{label} matches {count} colours of the stored colours{hint}',
    '{label} 对应{count}个已保存的颜色,请在 id 列中写明是哪一个',
  ],
  [
    'Rows whose formulaId names no formula that you may read are not linked: {listLines}',
    '以下行的"formulaId"不是您可查看的配方,未建立关联: {listLines}',
  ],
  [
    'The column "id" has numbers of your own: rows find their colours by name',
    '"id"列是您自己的编号,各行按名称查找颜色',
  ],
  [
    '{label} is not in the catalogue, and to create it {listFields} is missing',
    '{label} 不在原料库中,新建还缺少 {listFields}',
  ],
  [
    '{label} is not in the stored colours, and to create it {listFields} is missing',
    '没有名为 {label} 的颜色,新建还缺少 {listFields}',
  ],
  ['is not in {store}, and to create it {listFields} is missing', '不存在,新建还缺少 {listFields}'],
  // Notes.
  [
    'Rows in whose place a later one of the same record counts: {listRows}',
    '同一记录有多行,以后面的行为准(行号 → 采用的行): {listRows}',
  ],
  ['{rest} ({count} row)', '{rest}({count}行)'],
  ['{rest} ({count} rows)', '{rest}({count}行)'],
  ['Read as {encoding}, as told', '按指定的编码 {encoding} 读取'],
  ['Read as {encoding}', '按 {encoding} 读取'],
  ['Line {line}, above the header, was not read', '表头上方的第{line}行未读取'],
  ['Lines {first} to {last}, above the header, were not read', '表头上方的第{first}至{last}行未读取'],
  ['Sheet {name} was read, and not {listOthers}', '已读取工作表 {name},未读取 {listOthers}'],
  ['Sheet {name} was read', '已读取工作表 {name}'],
  ['Hidden rows were read as the others: {listRows}', '隐藏的行也已读取: {listRows}'],
  ['Hidden columns were read as the others: {listColumns}', '隐藏的列也已读取: {listColumns}'],
  ['Columns without a field, not read: {names}', '没有对应字段而未读取的列: {names}'],
  [
    'Column {letters} has no name and counts the rows: it was not read',
    '{letters} 列没有列名,只是行号,未读取',
  ],
  [
    'Lines with nothing but a note or heading were not read: {listLines}',
    '只有说明或标题的行未读取: {listLines}',
  ],
  ['Lines that have the header again were not read: {listLines}', '重复表头的行未读取: {listLines}'],
  [
    'Row {row} and those below it are another table: import it with {option}',
    '第{row}行及以下是另一个表格,请用 {option} 另行导入',
  ],
  ['"{column}": prices on request are no prices', '"{column}": 询价不作为价格'],
  ['"{column}": "{value}" is no price', '"{column}": "{value}"不是价格'],
  [
    '"{column}": prices are per {base}, read as per {unit}',
    '"{column}": 价格按 {base} 计,已换算为按 {unit} 计',
  ],
  ['"{column}": "{number}" is no CAS number and was not used', '"{column}": "{number}"不是 CAS 号,未采用'],
  ['and {count} more notes on rows', '另有{count}条说明'],
  ['"{column}": "{number}" is no EC number and was not used', '"{column}": "{number}"不是 EC 号,未采用'],
  [
    '"{column}": a comma was read as a part of the name; ";", "、", "|" or a new line stands between names',
    '"{column}": 逗号视为名称的一部分;多个名称之间请用 ";"、"、"、"|" 或换行分隔',
  ],
  [
    '"{column}": prices are in {currency}, and stored as plain numbers',
    '"{column}": 价格的货币是 {currency},只保存数字,不换算',
  ],
  [
    'Found by {listFields} under another name: {listLines}',
    '按 {listFields} 找到、但名称不同的行: {listLines}',
  ],
  [
    'Prices without a unit count per unit of the catalogue, add a column "unit" if not: {listLines}',
    '没有写明单位的价格按原料库中的单位计,如有不同请增加"unit"(单位)列: {listLines}',
  ],
  ['"{column}": prices are per {per}', '"{column}": 价格按 {per} 计'],
  ['"{name}" is no CosIng function and was not used', '"{name}"不是 CosIng 功能,未采用'],
  [
    'lines {one} and {other}: "{name}" of "{supplier}" and "{twin}", suppliers whose names look alike',
    '第{one}行和第{other}行: "{name}"的供应商"{supplier}"和"{twin}"名称相近',
  ],
];

/** Words of lists in these texts. */
export const LIST_WORDS = { separator: '、', more: ',另有{count}项', hidden: '(隐藏)', or: '(或 ' };
