import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { errorsDocument } from '../../scripts/errors-document';
import { definedTexts, placeholdersIn } from '../../src/platform/texts/define-texts';
import { isErrorCode } from '../../src/platform/texts/text';

const ROOT = join(__dirname, '..', '..');

/** Files with Chinese that is data, such as names of columns, and not a text for clients. */
const EXEMPT: readonly RegExp[] = [
  /^src\/platform\/texts\/(?:catalogue|messages)\.ts$/, // the table of errors
  /^src\/ai\/capabilities\/explore-formula\/explore-formula\.ts$/, // preset answers
  /^src\/ai\/capabilities\/predict-formula\/predict-formula\.ts$/, // the preset answer
  /^src\/ai\/capabilities\/search-keywords\//, // the prompt
  /^src\/ai\/capabilities\/extract-formula\//, // the prompt, notes on lines
  /^src\/formula-text\//, // the vocabulary of formulas
  /^src\/ingredients\/function-category\.ts$/, // names of categories
  /^src\/colors\/color\.fields\.ts$/, // the name of a colour that was given none
  /^src\/colors\/files\//, // names of columns
  /^src\/(?:files\/mapping|platform\/common)\//, // marks of currencies, months
  /\.texts\.ts$/, // texts in two languages
  /\.words\.ts$/, // words of pages, files and reasons, and what is written into records
  /^src\/ingredients\/(?:ingredient-file|price-column)\.ts$/, // names of columns
  /^src\/ingredients\/price-unit\.ts$/, // units of prices
  /^src\/ingredients\/names\/grade\.ts$/, // words for purity and strength
  /^src\/ingredients\/raw-materials\/substance-names\.ts$/, // names of water
  /^src\/labels\/label-names\.ts$/, // words on Chinese labels
  /^src\/formulas\/replacement\/replaced-composition\.ts$/, // why a version was made
  /^src\/formulas\/formula\.dto\.ts$/, // the document's example of a composition
  /^src\/platform\/database\/migrations\/1767225600007-substance-keys\.ts$/, // names of water and perfume
];

const CHINESE = /\p{Script=Han}/u;
/** Decorators that say what an answer tells: their texts are the catalogue's. */
const TELLING = new Set(['ApiErrors', 'ApiErrorResponse']);

const nameOf = ({ expression }: ts.Decorator): string =>
  ts.isCallExpression(expression) ? expression.expression.getText() : expression.getText();

const isTable = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && node.expression.getText() === 'defineTexts';

/** The Chinese literals of a source, except in tables of texts and in decorators that document fields and answers. */
function chineseIn(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const look = (node: ts.Node, isDocumented: boolean): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && !isDocumented && CHINESE.test(node.text)) found.push(node.text);
    if (isTable(node)) return;
    const documents = ts.isDecorator(node)
      ? !TELLING.has(nameOf(node))
      : isDocumented && !ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => look(child, documents));
  };
  look(source, false);
  return found;
}

const chineseOf = (text: string) =>
  chineseIn(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true));

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(spec|fake)\.ts$/.test(entry.name))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));

/** Without what aligns tables. */
const unaligned = (document: string) => document.replace(/-{2,}/g, '---').replace(/ +/g, ' ');

it('docs/errors.md is what the catalogue gives (npm run errors)', () => {
  expect(unaligned(readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8'))).toBe(unaligned(errorsDocument()));
});

describe('Texts for clients', () => {
  const withChinese = files.filter((path) => chineseOf(readFileSync(join(ROOT, path), 'utf8')).length > 0);

  it('stand in the catalogue and nowhere else', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(withChinese.filter((path) => !EXEMPT.some((exempt) => exempt.test(path)))).toEqual([]);
  });

  it.each(EXEMPT)('the exemption is needed: %s', (exempt) => {
    expect(withChinese.some((path) => exempt.test(path))).toBe(true);
  });

  it.each([
    ["throw new NotFoundError('没有');", ['没有']],
    ['const told = `不能超过${max}项`;', ['不能超过', '项']],
    ["class A { @TextField({ example: '甘油', rule: () => '不行' }) a; }", ['不行']],
    ["class A { @ApiErrors({ 404: '没有' }) a() {} }", ['没有']],
    ["export const texts = defineTexts({ 'a.b': ['没有', 'none'] });", []],
    ["class A { @ApiProperty({ example: '甘油' }) a; } // 注释", []],
  ])('are found: %s', (source, found) => {
    expect(chineseOf(source)).toEqual(found);
  });
});

/** Advice that only the English text gives in detail. */
const ENGLISH_ONLY: Readonly<Record<string, string>> = {
  'import.utf-8-by-chance': 'advice',
  'import.no-utf-8': 'advice',
  'ingredient-import.ambiguous': 'hint',
  'color-import.ambiguous': 'hint',
};

const valuesOf = (code: string, text: string): string[] =>
  placeholdersIn(text)
    .filter((name) => name !== ENGLISH_ONLY[code])
    .sort();

describe('The table of texts', () => {
  it('has each code in two languages, with the same values', async () => {
    const tables = files.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('defineTexts('));
    for (const path of tables) await import(join(ROOT, path));
    const wrong = Array.from(definedTexts()).filter(
      ([code, [chinese, english]]) =>
        !isErrorCode(code) ||
        !chinese ||
        !english.trim() ||
        CHINESE.test(english) ||
        String(valuesOf(code, english)) !== String(valuesOf(code, chinese)),
    );
    expect(wrong).toEqual([]);
  });
});
