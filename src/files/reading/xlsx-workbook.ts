import { damaged, xmlTags } from './xml-tags';

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The part of the archive that contains its cells. */
  readonly path: string;
}

/** The format of a cell's number, by its style. */
export interface CellStyle {
  readonly isDate: boolean;
  /** 0.05 is shown as 5%. */
  readonly isPercent: boolean;
  /** Shown with the number: the sign of a currency, or a unit; the complete format if it changes the number. */
  readonly sign: string | undefined;
}

export interface Workbook {
  /** The sheets with cells; charts are not among them. */
  readonly sheets: readonly Sheet[];
  /** Texts that cells refer to by position. */
  readonly strings: readonly string[];
  readonly styles: readonly CellStyle[];
  /** Days are counted from 1904 instead of 1900. */
  readonly isFrom1904: boolean;
  /** Returns the XML of a sheet. */
  xmlOf(sheet: Sheet): string;
}

export function workbookOf(parts: ReadonlyMap<string, Buffer>): Workbook {
  const xml = (path: string) => parts.get(path)?.toString('utf8') ?? '';
  const sheetPaths = new Map<string, string>();
  const paths = { sharedStrings: 'xl/sharedStrings.xml', styles: 'xl/styles.xml' };
  for (const { name, opens, attributes } of xmlTags(xml('xl/_rels/workbook.xml.rels'))) {
    if (name !== 'Relationship' || !opens) continue;
    const [id = '', type = '', target = ''] = ['Id', 'Type', 'Target'].map((key) => attributes.get(key));
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    if (type.endsWith('/worksheet')) sheetPaths.set(id, path);
    if (type.endsWith('/sharedStrings')) paths.sharedStrings = path;
    if (type.endsWith('/styles')) paths.styles = path;
  }
  const sheets: Sheet[] = [];
  let isFrom1904: boolean | undefined;
  for (const { name: tag, opens, attributes } of xmlTags(xml('xl/workbook.xml'))) {
    if (!opens) continue;
    if (tag === 'workbookPr') isFrom1904 ??= isTrue(attributes.get('date1904'));
    const name = attributes.get('name');
    const path = sheetPaths.get(attributes.get('id') ?? '');
    const isHidden = /hidden/i.test(attributes.get('state') ?? '');
    if (tag === 'sheet' && name && path !== undefined) sheets.push({ name, isHidden, path });
  }
  return {
    sheets,
    strings: stringsIn(xml(paths.sharedStrings)),
    styles: stylesIn(xml(paths.styles)),
    isFrom1904: isFrom1904 ?? false,
    xmlOf: ({ path }) => parts.get(path)?.toString('utf8') ?? missing(),
  };
}

function missing(): never {
  throw damaged();
}

export const isTrue = (value: string | undefined) => value === '1' || value === 'true';

/** Replaces `_x000D_` by the character of this code, which XML cannot contain. */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text;

/** The runs of a text are joined, without those that say how Chinese or Japanese letters are spoken. */
function stringsIn(xml: string): string[] {
  const strings: string[] = [];
  let current = '';
  let isPhonetic = false;
  for (const { name, opens, text } of xmlTags(xml)) {
    if (name === 'rPh') isPhonetic = opens;
    else if (name === 't' && !opens && !isPhonetic) current += text;
    else if (name === 'si' && opens) current = '';
    else if (name === 'si') strings.push(unescapeText(current));
  }
  return strings;
}

/** Longest code of a number format in Excel. */
const MAX_FORMAT = 255;

function stylesIn(xml: string): CellStyle[] {
  const codes = new Map<number, string>();
  const formatsOfBases: number[] = [];
  const styles: CellStyle[] = [];
  let list: string | undefined;
  for (const { name, opens, attributes } of xmlTags(xml)) {
    const format = attributes.get('numFmtId');
    if (name === 'cellStyleXfs' || name === 'cellXfs') list = opens ? name : undefined;
    else if (name === 'numFmt' && opens) {
      codes.set(Number(format), (attributes.get('formatCode') ?? '').slice(0, MAX_FORMAT));
    } else if (name === 'xf' && opens && list === 'cellStyleXfs') formatsOfBases.push(Number(format ?? 0));
    else if (name === 'xf' && opens && list === 'cellXfs') {
      const id = format === undefined ? formatsOfBases[Number(attributes.get('xfId'))] : Number(format);
      styles.push(styleOf(id ?? 0, codes.get(id ?? 0)));
    }
  }
  return styles;
}

/** The first id of formats that files define. Excel takes them from 100 on, although 164 is the first by rule. */
const FIRST_CUSTOM = 100;

function styleOf(id: number, code: string | undefined): CellStyle {
  const isOwn = id >= FIRST_CUSTOM && code !== undefined;
  return {
    isDate: isBuiltInDate(id) || (isOwn && isDateFormat(code)),
    isPercent: id === 9 || id === 10 || withoutTexts(code?.split(';')[0] ?? '').includes('%'),
    sign: code === undefined ? undefined : signIn(code),
  };
}

/** Formats of dates and times that Excel has itself: of all languages, of East Asian ones, and of Thai. */
const BUILT_IN_DATES = [
  [14, 22],
  [45, 47],
  [27, 36],
  [50, 58],
  [71, 81],
] as const;

const isBuiltInDate = (id: number) => BUILT_IN_DATES.some(([first, last]) => first <= id && id <= last);

const DATE_WORD = /^(?:s{1,2}|m{1,5}|h{1,2}|[ap]m?|d{1,4}|a{3,5}|y|yy|yyyy|e|ee|eeee)$/;

/** Returns true if one part of `[$-404]yyyy/m/d;@` shows nothing but parts of a date or time. */
function isDateFormat(code: string): boolean {
  const parts = code.toLowerCase().replace(/;@$/, '').replace(/\\./g, ' ').split(';');
  return parts.some((part) => {
    const words = part
      .replace(/"[^"]*"/g, ' ')
      // Tenths of seconds: `mm:ss.0`.
      .replace(/(\[?[smhd]{1,2}\]?)[.,]00?0?/g, '$1')
      // `[h]:mm` counts hours above 24. Other brackets hold a language, a colour or a condition.
      .replace(/\[([smhd]{1,2})\]/g, '$1')
      .replace(/\[[^\]]*\]/g, '')
      .split(/[^a-z0#?%]+/)
      .filter((word) => word !== '');
    return words.length > 0 && words.every((word) => DATE_WORD.test(word));
  });
}

const withoutTexts = (code: string): string => code.replace(/"[^"]*"|\\./g, '');

/** Finds the sign in `#,##0.00 [$€-407]` or `"US$" 0.00`, and the unit in `0.000" kg"`. */
function signIn(code: string): string | undefined {
  const [first = ''] = code.split(';');
  const currency =
    /\[\$([^\]-]+)/.exec(first)?.[1] ??
    /(?:US|HK|NT)?\$(?!-)|[€£¥￥₩]|(?:RMB|CNY|EUR|USD|GBP|CHF)/.exec(first)?.[0];
  if (currency !== undefined) return currency;
  const plain = withoutTexts(first);
  const texts = [...first.replace(/\[[^\]]*\]|_./g, '').matchAll(/"([^"]*)"|\\(.)/g)];
  const unit = texts
    .map(([, text, character]) => text ?? character)
    .join('')
    .trim();
  // A comma behind the digits divides by a thousand, and a condition chooses between formats.
  if (/[0#?],+(?![0#?,.])/.test(plain) || (/\[[<>=]/.test(code) && unit !== '')) return code;
  return /[\p{L}%‰]/u.test(unit) ? unit : undefined;
}
