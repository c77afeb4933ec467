import { hasAmount } from './entry-parser';
import { isFunction } from './names';
import { headingOf } from './text-lines';
import { tokenize } from './tokenizer';

const BRACKET = /\s*[([{【]([^()[\]{}【】]{1,80})[)\]}】]/uy;
const LETTER_BEFORE = /[\p{L}\p{N}]$/u;
/** Verbs and measures of the work, which say nothing of the material. */
const WORK =
  /\d ?[℃°]|加入|添加|搅拌|均质|保温|降温|升温|调节?\s*ph|\b(?:add(?:ed)?|stir|heat|cool|adjust)\b/iu;

/**
 * Returns what stands in brackets behind a name in a text and may make it another material: the `nano` of
 * `二氧化钛 (nano)`. Not among these are functions, phases, steps and amounts.
 * @param remarks those of the line, by which places with the same name are told apart
 */
export function remarkBehind(text: string, name: string, remarks: string): string | undefined {
  const behind: (string | undefined)[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (LETTER_BEFORE.test(text.slice(Math.max(0, at - 2), at))) continue;
    BRACKET.lastIndex = at + name.length;
    behind.push(BRACKET.exec(text)?.[1]!.trim());
  }
  const own = behind.find((remark) => remark && remarks.includes(remark));
  const remark = own ?? (behind.includes(undefined) ? undefined : behind[0]);
  if (!remark || (!own && hasAmount(tokenize(remark)))) return undefined;
  return isFunction(remark) || WORK.test(remark) || headingOf(remark) ? undefined : remark;
}
