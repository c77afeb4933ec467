import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { CHINESE } from '../../src/files/texts/chinese.words';
import { inChinese } from '../../src/files/texts/request-language';

const SRC = join(__dirname, '..', '..', 'src');

/** Where reasons of imports are written. */
const FOLDERS = ['files', 'colors/files', 'ingredients', 'formulas/files'];

const ERRORS = new Set(['TableError', 'ColumnChoiceError', 'Error']);
const FUNCTIONS = /^(?:fault|missing|refuse|add|(?:.+\.)?(?:reasons|remarks|notes)\.push)$/;
const PROPERTIES = new Set(['fault', 'reason', 'refusal', 'reasons', 'remarks', 'notes']);

/** A sample of a list, as reasons contain it. */
const LIST = 'inciName, "a, b" (hidden) and "c and d" and 8 more';

/** English words that a Chinese reason may have: formats, units, codes, fields and parameters. */
const ALLOWED = new Set(
  (
    'Excel XLS XLSX CSV JSON ZIP UTF NUL gbk big5 CAS EC INCI CosIng id kg map sheet encoding headerRow ' +
    'name inciName column field percentage unit cosingFunctions other'
  ).split(' '),
);

/** Unquoted English words of a text that none of these is. */
const foreignWords = (text: string): string[] =>
  (text.replace(/"[^"]*"|\{\w+\}/g, '').match(/[a-z]{2,}\d*/gi) ?? []).filter((word) => !ALLOWED.has(word));

/** Texts that an expression can have, with a sample in the place of each value. */
function textsOf(expression: ts.Expression): string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression);
  if (ts.isConditionalExpression(expression)) {
    return [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)];
  }
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return textsOf(expression.left).flatMap((left) => textsOf(expression.right).map((right) => left + right));
  }
  if (ts.isArrayLiteralExpression(expression)) return expression.elements.flatMap(textsOf);
  if (!ts.isTemplateExpression(expression)) return [];
  let texts = [expression.head.text];
  for (const { expression: value, literal } of expression.templateSpans) {
    const isList = /join\(|shortened|quoted|[lL]ist/.test(value.getText());
    const values = ts.isConditionalExpression(value) ? textsOf(value) : [isList ? LIST : '7'];
    texts = texts.flatMap((text) => values.map((one) => text + one + literal.text));
  }
  return texts;
}

function reasonsIn(path: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const [first] = ts.isNewExpression(node) || ts.isCallExpression(node) ? (node.arguments ?? []) : [];
    const args = ts.isCallExpression(node) ? node.arguments : [];
    if (ts.isNewExpression(node) && ERRORS.has(node.expression.getText())) {
      if (first && node.expression.getText() !== 'Error') found.push(...textsOf(first));
    } else if (ts.isCallExpression(node) && FUNCTIONS.test(node.expression.getText())) {
      found.push(...args.flatMap(textsOf));
    } else if (ts.isPropertyAssignment(node) && PROPERTIES.has(node.name.getText())) {
      found.push(...textsOf(node.initializer));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return found
    .filter((text) => /[a-z]+ [a-z]+/i.test(text))
    .map((text) => text.replaceAll('--', '').replace(/^\w+: /, ''));
}

const reasonsOfImports = () => [
  ...new Set(
    FOLDERS.flatMap((folder) =>
      readdirSync(join(SRC, folder), { recursive: true, withFileTypes: true })
        .filter(({ name }) => name.endsWith('.ts') && !/\.(?:spec|words)\.ts$/.test(name))
        .flatMap((entry) => reasonsIn(join(entry.parentPath, entry.name))),
    ),
  ),
];

it('every reason for which an import refuses a file or a row is known in Chinese', () => {
  const reasons = reasonsOfImports();
  expect(reasons.length).toBeGreaterThan(60);
  expect(reasons.filter((reason) => inChinese(reason) === reason)).toEqual([]);
});

it('no Chinese reason has English words in it, nor has a list', () => {
  expect(CHINESE.flatMap(([, chinese]) => foreignWords(chinese))).toEqual([]);
  expect(reasonsOfImports().flatMap((reason) => foreignWords(inChinese(reason)))).toEqual([]);
  expect(foreignWords('余量行: row 2 has 84.5 %')).toEqual(['row', 'has']);
  expect(inChinese('Balance lines: row 2 has 84.5 % and 3 more')).toBe('余量行: 第2行占84.5%,另有3项');
  expect(inChinese(`"5" is none of ${LIST}`)).toBe(
    '"5"不是以下值之一: inciName、"a, b"(隐藏)、"c and d",另有8项',
  );
});

it('translates what a reason quotes of another, and leaves values and foreign words as they are', () => {
  expect(inChinese('Broken quoting in line 3: a quote is opened and never closed.')).toBe(
    '第3行引号有误: 引号没有闭合',
  );
  expect(inChinese('A row with the sum was not read (2 rows)')).toBe('合计行未读取(2行)');
  expect(inChinese('"a $& \n b" is no id')).toBe('"a $& \n b"不是有效的 id');
  expect(inChinese('an extension objects')).toBe('an extension objects');
});
