import { isEnglish } from '../../platform/texts/languages';
import type { ImportReport } from '../import-report';
import { CHINESE, LIST_WORDS } from './chinese.words';

/*
 * Imports describe faults in English. Commands print them unchanged, and so do answers to requests in English. All
 * other answers contain them in Chinese, like the rest of the interface.
 */

/** A placeholder: a name in braces. */
const PLACEHOLDER = /\{(\w+)\}/g;

/** Translates a text of an import into the language of the request. */
export const inRequestLanguage = (english: string): string => (isEnglish() ? english : inChinese(english));

/** Translates the reasons and notes of a report into the language of the request. */
export function reportInRequestLanguage(report: ImportReport): ImportReport {
  if (isEnglish()) return report;
  const refused = report.refused.map(({ reason, faults = [{ reason }], ...row }) => {
    const translated = faults.map((fault) => ({ ...fault, reason: inChinese(fault.reason) }));
    const reasons = translated.map((fault) => [fault.column, fault.reason].filter(Boolean).join(': '));
    return { ...row, reason: reasons.join('; '), faults: translated };
  });
  return { ...report, refused, notes: report.notes.map(inChinese) };
}

/** The texts between the placeholders of a reason. */
const REASONS = CHINESE.map(([english, chinese]) => ({
  names: Array.from(english.matchAll(PLACEHOLDER), ([, name]) => name!),
  literals: english.split(/\{\w+\}/),
  chinese,
}));

/** A text that is not in the catalogue, such as one of an extension, stays unchanged. */
export function inChinese(english: string): string {
  for (const { names, literals, chinese } of REASONS) {
    const found = valuesBetween(english, literals);
    if (!found) continue;
    const values = new Map(names.map((name, at) => [name, found[at]!]));
    return chinese.replace(PLACEHOLDER, (_, name: string) => {
      const value = values.get(name) ?? '';
      if (name.startsWith('list')) return listInChinese(value);
      return name.startsWith('rest') ? inChinese(value) : value;
    });
  }
  return english;
}

const MORE = / and (\d[\d,]*) more$/;

/** Joins the items of `a, "b, c" and d` as a Chinese list does. Quoted ones stay as they are. */
function listInChinese(english: string): string {
  const more = MORE.exec(english);
  const items = Array.from(english.replace(MORE, '').matchAll(/(?:"[^"]*"|(?!, | and ).)+/gs), ([item]) =>
    inChinese(item.trim().replace(/^and /, ''))
      .replace(/ \(hidden\)$/, LIST_WORDS.hidden)
      .replace(' (or ', LIST_WORDS.or),
  );
  return items.join(LIST_WORDS.separator) + (more ? LIST_WORDS.more.replace('{count}', more[1]!) : '');
}

/**
 * Returns the values between these literals; the first begins and the last ends the text. Each literal is searched
 * only once, because a quoted cell may be long and contain anything.
 */
function valuesBetween(text: string, [first = '', ...others]: readonly string[]): string[] | undefined {
  if (!text.startsWith(first)) return undefined;
  let at = first.length;
  const values: string[] = [];
  for (const [index, literal] of others.entries()) {
    const isLast = index === others.length - 1;
    const found = isLast ? text.length - literal.length : text.indexOf(literal, at);
    if (found < at || !text.startsWith(literal, found)) return undefined;
    values.push(text.slice(at, found));
    at = found + literal.length;
  }
  return at === text.length ? values : undefined;
}
