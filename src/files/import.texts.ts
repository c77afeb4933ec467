import { defineTexts, type Message } from '../platform/texts/define-texts';

/** Reasons and notes of imports. Commands print them in English; options are named as those of commands. */
export const importText = defineTexts({
  // Files.
  'import.empty-file': ['文件为空', 'The file is empty.'],
  'import.no-header': ['文件没有包含列名的表头行', 'The file has no header row with column names.'],
  'import.too-many-columns': [
    '表头有{count}列,超过{max}列',
    'The header has {count} columns, more than {max}.',
  ],
  'import.too-many-rows': ['文件超过{max}行,请拆分', 'The file has more than {max} rows: split it.'],
  'import.too-large': [
    '文件大于{size},请拆分后逐个导入',
    'The file is larger than {size}: split it and import the parts one by one.',
  ],
  'import.too-demanding': [
    '处理该文件所需的时间或内存过多,请拆分',
    'The file takes too much time or memory: split it.',
  ],
  'import.no-header-line': ['第{line}行不能作为表头', 'Line {line} has no row that could be the header.'],
  'import.missing-columns': [
    '文件没有 {fields} 列。现有的列: {columns}。请用 map "列名={field}" 指定',
    'The file has no column for {fields}. Its columns are {columns}. Name the right one with --map "column={field}".',
  ],
  'import.no-column': [
    '文件没有"{name}"列。现有的列: {columns}',
    'The file has no column "{name}". Its columns are {columns}.',
  ],
  'import.same-columns': ['文件有{count}列名为"{name}"', 'The file has {count} columns named "{name}".'],
  'import.two-columns': [
    '"{other}"和"{name}"两列都表示 {field}: 请用 map "{name}=" 忽略其中一列,或用 map "{name}={field}" 指定',
    'The columns "{other}" and "{name}" both mean {field}: leave one out with --map "{name}=" or name the right one with --map "{name}={field}".',
  ],
  'import.doubtful-column': [
    '"{name}"列可能对应字段 {field},但无法确定: 请用 map "{name}={field}" 指定其字段,或用 map "{name}=" 忽略该列',
    'The column "{name}" looks like {field} and is not understood: name its field with --map "{name}={field}", or leave it out with --map "{name}=".',
  ],
  'import.volumes': [
    '"{name}"列是体积,不是质量份额: 请改用质量百分比或克数,毫升或升可用 map "{name}=milliliters" 按原料密度换算,或用 map "{name}=" 忽略该列',
    'The column "{name}" has volumes, which are no shares by weight: give percent by weight or grams, convert mL or L by the densities of the raw materials with --map "{name}=milliliters", or leave it out with --map "{name}=".',
  ],
  'import.unread-names': [
    '以下 JSON 字段未读取: {names}',
    'Names of the JSON records that were not read: {names}',
  ],
  'import.currency-in-some': [
    '"{column}"列部分价格带有 {currency} 的符号,第{line}行的价格没有: 请在列名中写明币种,或逐行填写币种',
    'Some prices of the column "{column}" have the sign of {currency}, and that of row {line} has none: write the currency into the heading, or give one in each row.',
  ],
  'import.unnamed-column': [
    '{letters} 列没有列名,却有{count}个单元格有内容,请在表头中填写列名',
    'Column {letters} has no name, and {count} of its cells are filled: give it a name in the header.',
  ],
  'import.no-field': [
    '没有字段"{field}",可用字段: {fields}',
    'there is no field "{field}"; the fields are {fields}',
  ],
  'import.mapped-twice': ['有两列对应 {field}', 'two columns are mapped to {field}'],
  'import.no-choice': ['"{text}"不是"列=字段"的形式', '"{text}" is not of the form column=field'],
  'import.second-table': [
    '第{line}行是另一个表格的表头,请逐个导入,并用 headerRow 指定表头行(此表格为 headerRow {line})',
    'Row {line} is the header of another table: import the tables one by one, and say with --header-row which row is the header (--header-row {line} for this one).',
  ],
  // XLSX files.
  'import.old-workbook': [
    '文件是旧版 Excel 工作簿(XLS)或带有密码,请另存为 XLSX 或 CSV',
    'The file is an old Excel workbook (XLS) or password-protected: save it as XLSX or CSV.',
  ],
  'import.no-sheet-in-file': [
    '文件不是 XLSX 工作簿,没有工作表',
    'The file is no XLSX workbook: it has no --sheet.',
  ],
  'import.workbook-encoding': ['XLSX 文件没有编码选项', 'An XLSX file has no --encoding of its own.'],
  'import.damaged': ['XLSX 文件已损坏', 'The XLSX file is damaged.'],
  'import.encrypted': [
    'XLSX 文件已加密,请去掉密码后保存',
    'The XLSX file is encrypted: save it without a password.',
  ],
  'import.no-workbook': [
    '文件是 ZIP 压缩包,但不是 XLSX 工作簿',
    'The file is a ZIP archive, but no XLSX workbook.',
  ],
  'import.too-many-parts': ['XLSX 文件超过{max}个部件', 'The XLSX file holds more than {max} parts.'],
  'import.unpacks-to': [
    'XLSX 文件解压后超过{size},请拆分或另存为 CSV',
    'The XLSX file unpacks to more than {size}: split it, or save it as CSV.',
  ],
  'import.unreadable-workbook': ['无法读取 XLSX 文件: {reason}', 'The XLSX file cannot be read: {reason}'],
  'import.rows-out-of-order': ['第{row}行位于第{previous}行之后', 'row {row} stands below row {previous}'],
  'import.cells-out-of-order': [
    '单元格 {cell} 不在前一个单元格的右侧',
    '{cell} is not right of the previous cell',
  ],
  'import.long-cell': ['有单元格超过{max}个字符', 'a cell has more than {max} characters'],
  'import.invalid-cell': ['单元格 {cell} 的值无效', 'the value of cell {cell} is invalid'],
  'import.broken-xml': ['XML 格式有误', 'its XML is not well-formed'],
  'import.hidden-sheets': [
    '所有工作表都已隐藏,请用 sheet 指定其中之一: {names}',
    'All sheets of the workbook are hidden: name one of {names} with --sheet.',
  ],
  'import.without-sheet': ['工作簿没有工作表', 'The workbook has no sheet.'],
  'import.no-such-sheet': [
    '工作簿没有工作表"{name}"。现有的工作表: {names}',
    'The workbook has no sheet "{name}". Its sheets are {names}.',
  ],
  'import.no-header-in-sheets': [
    '没有工作表的第{row}行可以作为表头',
    'No sheet has a row {row} that could be the header.',
  ],
  'import.empty-sheet': ['工作表"{name}"为空', 'The sheet "{name}" is empty.'],
  'import.empty-sheets': ['所有可见的工作表都为空', 'All visible sheets are empty.'],
  'import.wide-sheet': [
    '工作表超过{max}列(单元格 {cell}),请删除表格右侧的内容',
    'The sheet has more than {max} columns (cell {cell}): delete what stands right of the table.',
  ],
  'import.many-cells': [
    '工作表超过{max}个单元格({rows}行 × {columns}),请拆分,或删除表格下方或右侧的内容',
    'The sheet spans more than {max} cells ({rows} rows of {columns}): split it, or delete what stands below or right of the table.',
  ],
  'import.long-sheet': [
    '工作表超过{max}行(第{row}行有单元格),请拆分,或删除表格下方的空行',
    'The sheet has more than {max} rows (a cell in row {row}): split it, or delete empty rows below the table.',
  ],
  // JSON files.
  'import.broken-json': ['JSON 文件不完整或格式有误', 'The JSON file is incomplete or broken.'],
  'import.deep-json': ['JSON 文件嵌套超过{max}层', 'The JSON file is nested more than {max} levels deep.'],
  'import.no-json-list': [
    'JSON 文件不是记录列表,应为 {"data":[{…}]} 或 [{…}]',
    'The JSON file is no list of records: {"data":[{…}]} or [{…}].',
  ],
  'import.long-json-text': [
    'JSON 文件中有超过{max}个字符的文本',
    'The JSON file has a text of more than {max} characters.',
  ],
  'import.json-list': [
    'JSON 文件中"{name}"是列表,此处应为一个值',
    'In the JSON file, "{name}" is a list in place of one value.',
  ],
  'import.empty-json': ['JSON 文件没有记录', 'The JSON file has no records.'],
  'import.json-sheet': [
    'JSON 文件没有工作表,也没有表头行',
    'A JSON file has neither a --sheet nor a --header-row.',
  ],
  // CSV files.
  'import.quoting-in-row': [
    '从第{line}行开始的行引号有误: {fault}',
    'Broken quoting in the row that starts in line {line}: {fault}',
  ],
  'import.quoting-in-line': ['第{line}行引号有误: {fault}', 'Broken quoting in line {line}: {fault}'],
  'import.open-quote': ['引号没有闭合', 'a quote is opened and never closed.'],
  'import.endless-row': [
    '该行没有结束,引号是否没有闭合?',
    'the row does not end; is a quote opened there and never closed?',
  ],
  'import.text-after-quote': [
    '右引号后还有文字。引号内的引号须写两次("")',
    'text follows a closing quote. A quote inside a quoted cell is written twice ("").',
  ],
  'import.quote-inside': [
    '未加引号的单元格中有引号。请为整个单元格加引号,其中的引号写两次("")',
    'a quote stands inside an unquoted cell. Put the whole cell in quotes and write the quote inside twice ("").',
  ],
  'import.other-encoding': [
    '文件不是 {encoding} 文本,请指定其他编码',
    'The file is no {encoding} text. Name another encoding.',
  ],
  'import.broken-utf-16': [
    '文件开头像 UTF-16 文本,实际不是。请重新生成,或另存为 UTF-8 后重试',
    'The file begins as UTF-16 text and is none. Re-create it, or save it as UTF-8 (in Excel: "CSV UTF-8 (comma delimited)") and try again.',
  ],
  'import.nul-bytes': [
    '第{line}行含有 NUL 字节,文件不是文本或是 UTF-16。请另存为 UTF-8 后重试',
    'Line {line} holds NUL bytes: this is no text file, or it is UTF-16. If so, say --encoding utf-16le or --encoding utf-16be, or save it as UTF-8 (in Excel: "CSV UTF-8 (comma delimited)") and try again.',
  ],
  'import.utf-8-by-chance': [
    '无法确定文件的编码,请指定编码,或另存为 UTF-8 后重试',
    'The file may be UTF-8 text by chance only.{advice}',
  ],
  'import.no-utf-8': [
    '第{line}行不是 UTF-8 文本,请指定编码(如 gbk、big5),或另存为 UTF-8 后重试',
    'Line {line} is not UTF-8 text.{advice}',
  ],
  'import.read-as-told': ['按指定的编码 {encoding} 读取', 'Read as {encoding}, as told'],
  'import.read-as': ['按 {encoding} 读取', 'Read as {encoding}'],
  // Rows and cells.
  'import.wide-row': [
    '有{count}个单元格,表头有{width}个(含分隔符的单元格是否没有加引号?)',
    'has {count} cells, the header has {width} (is a cell that contains the separator not in quotes?)',
  ],
  'import.cell-without-result': [
    '单元格 {cell} 的公式没有计算结果,请在 Excel 中打开并保存文件',
    'cell {cell} holds a formula without its result: open the file in Excel and save it',
  ],
  'import.cell-error': ['单元格 {cell} 的值是错误 {error}', 'cell {cell} holds the error {error}'],
  'import.cell-date': [
    '单元格 {cell} 应为名称,却是日期({date})',
    'cell {cell} holds a date ({date}) in place of a name',
  ],
  'import.cell-merged': [
    '单元格 {cell} 与 {other} 合并,请为每行单独填写',
    'cell {cell} is merged with {other}: give each row a cell of its own',
  ],
  'import.empty': ['为空', 'is empty'],
  'import.too-long': ['超过{max}个字符', 'is longer than {max} characters'],
  'import.nul-character': ['含有 NUL 字符', 'contains a NUL character'],
  'import.no-number': [
    '"{value}"不是数字(由数字和小数点组成)',
    '"{value}" is not a number (digits and a decimal point)',
  ],
  'import.no-number-like': [
    '"{value}"不是数字(由数字和小数点组成,如 {example})',
    '"{value}" is not a number (digits and a decimal point, like {example})',
  ],
  'import.none-of': ['"{value}"不是以下值之一: {values}', '"{value}" is none of {values}'],
  'import.no-id': ['"{value}"不是有效的 id', '"{value}" is no id'],
  'import.not-whole': ['必须是整数,当前为 {value}', 'must be a whole number, is {value}'],
  'import.negative': ['不能为负数,当前为 {value}', 'must not be negative, is {value}'],
  'import.below': ['不能小于{min},当前为 {value}', 'must not be below {min}, is {value}'],
  'import.above': ['不能大于{max},当前为 {value}', 'must not be above {max}, is {value}'],
  'import.not-above': ['必须大于{min},当前为 {value}', 'must be above {min}, is {value}'],
  'import.other-currency': [
    '"{value}"的货币是 {currency},而该列有 {currencies}',
    '"{value}" is in {currency}, and the column has {currencies}',
  ],
  'import.decimal-comma': [
    '"{value}"的逗号可能是小数点: 该列既有逗号小数,也有点号小数',
    '"{value}" could have a decimal comma: the column has numbers with comma and with point',
  ],
  'import.other-decimal-mark': [
    '"{value}"的小数点与该列其他单元格不同',
    '"{value}" has another decimal mark than the other cells of its column',
  ],
  'import.two-numbers': [
    '"{value}"可能是 {point} 或 {comma},该列没有其他单元格可以判断',
    '"{value}" could be {point} or {comma}, and no other cell of the column tells which',
  ],
  'import.same-record': ['{label} 与第{line}行是同一条记录', '{label} is what line {line} is, too'],
  // Notes.
  'import.line-above': ['表头上方的第{line}行未读取', 'Line {line}, above the header, was not read'],
  'import.lines-above': [
    '表头上方的第{first}至{last}行未读取',
    'Lines {first} to {last}, above the header, were not read',
  ],
  'import.sheet-read': ['已读取工作表 {name}', 'Sheet {name} was read'],
  'import.one-sheet-read': ['已读取工作表 {name},未读取 {others}', 'Sheet {name} was read, and not {others}'],
  'import.hidden': ['{name}(隐藏)', '{name} (hidden)'],
  'import.hidden-rows': ['隐藏的行也已读取: {rows}', 'Hidden rows were read as the others: {rows}'],
  'import.hidden-columns': [
    '隐藏的列也已读取: {columns}',
    'Hidden columns were read as the others: {columns}',
  ],
  'import.ignored-columns': [
    '没有对应字段而未读取的列: {names}',
    'Columns without a field, not read: {names}',
  ],
  'import.row-numbers': [
    '{letters} 列没有列名,只是行号,未读取',
    'Column {letters} has no name and counts the rows: it was not read',
  ],
  'import.notes-not-read': [
    '只有说明或标题的行未读取: {lines}',
    'Lines with nothing but a note or heading were not read: {lines}',
  ],
  'import.other-trial': [
    '只在忽略的列中有用量、未读取的行: {lines}',
    'Lines with an amount only in a column that is left out were not read: {lines}',
  ],
  'import.header-again': [
    '重复表头的行未读取: {lines}',
    'Lines that have the header again were not read: {lines}',
  ],
  'import.table-below': [
    '第{line}行及以下是另一个表格,请用 --header-row {line} 另行导入',
    'Row {line} and those below it are another table: import it with --header-row {line}',
  ],
  'import.currency': [
    '"{column}": 价格的货币是 {currency},只保存数字,不换算',
    '"{column}": prices are in {currency}, and stored as plain numbers',
  ],
  'import.replaced': [
    '同一记录有多行,以后面的行为准(行号 → 采用的行): {rows}',
    'Rows in whose place a later one of the same record counts: {rows}',
  ],
  'import.in-one-row': ['{remark}({count}行)', '{remark} ({count} row)'],
  'import.in-rows': ['{remark}({count}行)', '{remark} ({count} rows)'],
  'import.more-notes': ['另有{count}条说明', 'and {count} more notes on rows'],
  'import.more-refused': ['另有{count}行未列出', 'and {count} more rows'],
  'import.found-by': [
    '按 {fields} 找到、但名称不同的行: {rows}',
    'Found by {fields} under another name: {rows}',
  ],
  // Lists.
  'import.and': ['{one}、{other}', '{one} and {other}'],
  'import.and-more': ['{items},另有{count}项', '{items} and {count} more'],
});

type Item = string | number | Message;

/** A list of which only the first `most` items are named. */
export const listed = (items: readonly Item[], most = 10): readonly Item[] | Message =>
  items.length > most
    ? importText('import.and-more', { items: items.slice(0, most), count: items.length - most })
    : items;

/** A list with `and` between its items. */
export const both = (items: readonly Item[]): Item =>
  items.slice(1).reduce<Item>((one, other) => importText('import.and', { one, other }), items[0] ?? '');
