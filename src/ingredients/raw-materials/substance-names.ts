import { lowerCase, visibleText } from '../../platform/common/name-forms';
import { bareCiNumber, hasSeveralCiNumbers } from './registry-numbers';

/** Keys of the names that only mean "a fragrance". */
export const PARFUM = 'parfum';
export const AROMA = 'aroma';

/** Names of one substance in several languages, which labels list side by side: `Aqua / Water / Eau`. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  aqua: ['aqua', 'water', 'eau', '水', '纯水', '纯化水', '去离子水'],
  [PARFUM]: ['parfum', 'fragrance', 'perfume', '香精', '日用香精'],
  [AROMA]: ['aroma', 'flavor', 'flavour', '食用香精'],
};

const BY_SYNONYM = new Map(
  Object.entries(SYNONYMS).flatMap(([key, words]) => words.map((word) => [word, key] as const)),
);

/** Treatments of water, which a label does not name: `Deionized Water`, `Aqua Purificata`. */
const WATER_TREATMENT = /^(?:purified|purificata|distilled|deioni[sz]ed|deminerali[sz]ed)$/;

const HYPHENS = /[\u2010-\u2015\u2212]/g;
/** Footnote marks after a name: `Linalool*`, `Limonene¹⁾`. */
const FOOTNOTE_MARK = /(?:[*†‡§]|[¹²³⁰⁴-⁹]+[⁾)]?)+$/u;
/** The lookahead has the Latin, Greek, Cyrillic, Japanese and Chinese letters, as in the database. */
const NANO =
  /\s*[([]\s*(?:nano(?!\w*[\s-]free)|纳米)[^)\]]*[)\]]|^\s*(?:nano[\s-]+|纳米)(?=[a-z\u00c0-\u02af\u0370-\u052f\u3041-\u30ff\u3400-\u9fff])|(?<!non)[\s,-]+nano(?:particles?|materials?)?\s*$/iu;

/** Returns true if a name marks the substance as a nanomaterial: `Zinc Oxide (nano)`, `Nano Zinc Oxide`. */
export const saysNano = (inciName: string): boolean => NANO.test(inciName.normalize('NFKC'));

/** Returns the name without the nanomaterial mark. */
export const withoutNano = (inciName: string): string =>
  inciName.replace(/（/g, '(').replace(/）/g, ')').replace(NANO, '');

/**
 * Returns the form in which INCI names are compared. It ignores case, width, blanks, kinds of hyphens, invisible
 * characters, footnote marks and `(nano)`. `Water` and `Aqua` are equal, and so are `C.I. 77891` and `CI 77891`.
 * `substance_key` of the database is the same: a change of these rules needs a migration of both columns with keys.
 */
export function substanceKey(inciName: string): string {
  const visible = visibleText(inciName.trim().replace(FOOTNOTE_MARK, ''));
  const plain = lowerCase(withoutNano(visible)).replace(HYPHENS, '-').replace(/\s+/g, ' ').trim();
  return synonymKey(plain) ?? bareCiNumber(plain) ?? plain;
}

/** Returns the key of a name that consists of synonyms of one substance. */
function synonymKey(plain: string): string | undefined {
  let [found, isTreated]: [string | undefined, boolean] = [undefined, false];
  for (const word of plain.split(/[\s/()]+/)) {
    if (word === '') continue;
    if (WATER_TREATMENT.test(word)) {
      isTreated = true;
      continue;
    }
    const key = BY_SYNONYM.get(word);
    if (key === undefined || (found !== undefined && key !== found)) return undefined;
    found = key;
  }
  return isTreated && found !== 'aqua' ? undefined : found;
}

/** A word, or a mark with blanks around it, that joins names: `A (and) B`, `A & B`, `A（和）B`, `A; B`, `A, B`. */
const JOINS = [
  /\S\s*[([（]\s*(?:and|和|与|及)\s*[)\]）]\s*\S/iu,
  /\S\s+(?:and|und|et)\s+\S/iu,
  /\S\s*[&＆]\s*\S/u,
  /\S\s+[+＋]\s+\S/u,
  /\S\s+\/\s*\S|\S\s*\/\s+\S/u,
  /\S\s*[;；、]\s*\S/u,
  /\S,\s+\S/u,
  // Not the commas of `1,2-Hexanediol` and `N,N-Dimethyl…`.
  /(?:\p{L}{3}|\p{Script=Han})[)\]]?,[\p{L}\p{N}(]|[\p{L}\p{N})\]],(?:\p{L}{3}|\p{Script=Han})/u,
  /[\p{L}\p{N})]\s*[和与及]\s*[\p{L}\p{N}(]/u,
];

/** Names of colorants in the United States. Their `&` does not join names. */
const US_COLORANT = /\b(?:F\s?)?D\s?&\s?C\s+(?=(?:black|blue|brown|green|orange|red|violet|yellow)\b)/giu;

const CALLED_BLEND = /\b(?:blend|mixture|mix|premix|compound)$|(?:复配|混合|预混)(?:物|料|剂|液)?$/iu;

/**
 * Returns true if an INCI name names several substances. Without a composition their shares are unknown. A slash
 * without blanks joins nothing: `Caprylic/Capric Triglyceride` is one substance.
 */
export function isBlendName(inciName: string): boolean {
  const name = inciName.normalize('NFKC').trim().replace(US_COLORANT, '');
  const isBlend =
    CALLED_BLEND.test(name) || hasSeveralCiNumbers(name) || JOINS.some((join) => join.test(name));
  // `Aqua / Water / Eau` is one substance.
  return isBlend && !Object.hasOwn(SYNONYMS, substanceKey(name));
}
