import { isEnglish } from '../../common/texts/request-words';
import { PLACEHOLDER } from '../../common/texts/text';
import type { ImportReport } from '../import-report';
import { CHINESE } from './chinese.words';

/*
 * Imports say in English what is wrong with a file. Commands print it as it is, and so does the answer to a request
 * that asks for English; any other has it in Chinese, as the rest of the interface.
 */

/** What an import says, in the language of the request. */
export const inRequestLanguage = (english: string): string => (isEnglish() ? english : inChinese(english));

/** The report with its reasons and notes in the language of the request. */
export function reportInRequestLanguage(report: ImportReport): ImportReport {
  if (isEnglish()) return report;
  const refused = report.refused.map(({ line, reason, faults = [{ reason }] }) => {
    const translated = faults.map((fault) => ({ ...fault, reason: inChinese(fault.reason) }));
    const reasons = translated.map((fault) => [fault.column, fault.reason].filter(Boolean).join(': '));
    return { line, reason: reasons.join('; '), faults: translated };
  });
  return { ...report, refused, notes: report.notes.map(inChinese) };
}

const PATTERNS = CHINESE.map(([english, chinese]) => {
  const names = Array.from(english.matchAll(PLACEHOLDER), ([, name]) => name!);
  const literals = english.split(/\{\w+\}/).map((text) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return { pattern: new RegExp(`^${literals.join('(.*?)')}$`, 's'), names, chinese };
});

/** What is in no catalogue, such as an extension's own words, stays as it is. */
export function inChinese(english: string): string {
  for (const { pattern, names, chinese } of PATTERNS) {
    const found = pattern.exec(english);
    if (!found) continue;
    const values = new Map(names.map((name, at) => [name, found[at + 1]!]));
    return chinese.replace(PLACEHOLDER, (_, name: string) => {
      const value = values.get(name) ?? '';
      return name.startsWith('rest') ? inChinese(value) : value;
    });
  }
  return english;
}
