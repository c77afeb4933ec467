/*
 * One table holds every text of the service in Chinese and English. Each domain adds its texts beside their use; an
 * extension adds further languages (`LANGUAGE`). A text is passed on as a `Message`, a code with values, and rendered
 * where the answer is written.
 *
 * @example
 *   export const batchTexts = defineTexts({
 *     'batch.title': ['配料单：{formula}（第 {version} 版）', 'Batch sheet: {formula} (version {version})'],
 *     'batch.below-step': ['用量小于分度值：{names}。', 'Less than one step: {names}.'],
 *   });
 *   const message = batchTexts('batch.title', { formula: name, version: 3 }); // the compiler checks code and values
 *   render(message, 'en'); // 'Batch sheet: Day cream (version 3)'
 *
 *   const t = batchTexts.in(language); // for a page or a file
 *   t('batch.below-step', { names: ['Aqua', 'Parfum'] }); // '用量小于分度值：Aqua、Parfum。'
 */

/** Chinese, English, and the HTTP status if it is the text of an error. */
export type Template = readonly [chinese: string, english: string, status?: number | readonly number[]];

/** A value of a placeholder. The items of a list are joined by `、` in Chinese, else by `, `. */
export type Value = string | number | Message | readonly (string | number | Message)[];

/** A text whose language is not decided yet. */
export interface Message {
  readonly code: string;
  readonly values?: Readonly<Record<string, Value>>;
  /** The text if the table has none: that of an extension. */
  readonly text?: string;
}

/** The names in `{}`. Braces around anything but a word, as in JSON, are text. */
type PlaceholdersIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends `${string}${'"' | '{' | '…'}${string}`
    ? PlaceholdersIn<Rest>
    : Name | PlaceholdersIn<Rest>
  : never;

type ValuesOf<Text extends string> = [PlaceholdersIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<PlaceholdersIn<Text>, Value>>];

type Rendering<Table extends Record<string, Template>, Result> = <Code extends keyof Table & string>(
  code: Code,
  ...values: ValuesOf<Table[Code][0]>
) => Result;

/** Creates messages of a table. `in(language)` returns a function that renders them immediately. */
export type Texts<Table extends Record<string, Template>> = Rendering<Table, Message> & {
  in(language: string): Rendering<Table, string>;
};

const templates = new Map<string, Template>();
const translations = new Map<string, Readonly<Record<string, string>>>();

/**
 * Adds texts to the table.
 * @throws Error if a code is defined already
 */
export function defineTexts<const Table extends Record<string, Template>>(table: Table): Texts<Table> {
  for (const [code, template] of Object.entries(table)) {
    if (templates.has(code)) throw new Error(`The text ${code} is defined twice.`);
    templates.set(code, template);
  }
  const message: Rendering<Table, Message> = (code, ...[values]) => (values ? { code, values } : { code });
  const inLanguage = (language: string): Rendering<Table, string> => {
    return (code, ...values) => renderMessage(message(code, ...values), language);
  };
  return Object.assign(message, { in: inLanguage });
}

/** All texts of the modules that are loaded, by code. */
export const definedTexts = (): ReadonlyMap<string, Template> => templates;

/** Replaces the texts that extensions provide, by language. Those in English may reword the table's. */
export function setTranslations(texts: ReadonlyMap<string, Readonly<Record<string, string>>>): void {
  translations.clear();
  for (const [language, translated] of texts) translations.set(language, translated);
}

/** Returns true for English, also that of a region: `en`, `x-language: en-gb`. */
export const isEnglishKey = (language: string): boolean => /\ben(?:-\w+)*$/.test(language);

/** Renders a message. A language without a text for it gets the Chinese one. */
export function renderMessage({ code, values, text = code }: Message, language: string): string {
  const template = templates.get(code)?.[isEnglishKey(language) ? 1 : 0];
  const shown = translations.get(language)?.[code] ?? template ?? text;
  if (!values) return shown;
  return shown.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : renderValue(value, language);
  });
}

function renderValue(value: Value, language: string): string {
  if (typeof value !== 'object') return String(value);
  if ('code' in value) return renderMessage(value, language);
  return joinItems(
    value.map((item) => renderValue(item, language)),
    language,
  );
}

export const joinItems = (items: readonly string[], language: string): string =>
  items.join(language === 'zh' ? '、' : ', ');

/** A placeholder: a name in braces. */
const PLACEHOLDER = /\{(\w+)\}/g;

/** The names of the placeholders of a text. */
export const placeholdersIn = (text: string): string[] =>
  Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name!);
