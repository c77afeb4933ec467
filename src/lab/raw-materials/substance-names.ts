/** Names of one substance in several languages, which labels write side by side: `Aqua / Water / Eau`. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  aqua: ['aqua', 'water', 'eau'],
  parfum: ['parfum', 'fragrance', 'perfume'],
  aroma: ['aroma', 'flavor', 'flavour'],
};

const BY_SYNONYM = new Map(
  Object.entries(SYNONYMS).flatMap(([key, words]) => words.map((word) => [word, key] as const)),
);

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const HYPHENS = /[\u2010-\u2015\u2212]/g;
/** Marks of footnotes behind a name: `Linalool*`, `Limonene¹⁾`. */
const FOOTNOTE_MARK = /(?:[*†‡§]|[¹²³⁰⁴-⁹]+[⁾)]?)+$/u;
const NANO = /\s*[([]\s*(?:nano|纳米)\s*[)\]]\s*$/i;

/** Whether a name says that the substance is in the form of a nanomaterial: `Zinc Oxide (nano)`. */
export const saysNano = (inciName: string): boolean => NANO.test(inciName.normalize('NFKC'));

/** The name without what says that it is a nanomaterial. */
export const withoutNano = (inciName: string): string =>
  inciName.replace(/（/g, '(').replace(/）/g, ')').replace(NANO, '');

/**
 * The form in which two INCI names are the same substance: whatever their case, width, blanks, kind of hyphen,
 * invisible characters and marks of footnotes, with or without `(nano)`. `Water` and `Aqua` are the same.
 */
export function substanceKey(inciName: string): string {
  const visible = inciName
    .trim()
    .replace(FOOTNOTE_MARK, '')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .normalize('NFKC');
  const plain = withoutNano(visible).toLowerCase().replace(HYPHENS, '-').replace(/\s+/g, ' ').trim();
  const words = plain.split(/[\s/()]+/).filter((word) => word !== '');
  const keys = new Set(words.map((word) => BY_SYNONYM.get(word)));
  const [key] = keys;
  return keys.size === 1 && key !== undefined ? key : plain;
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
  /[\p{L}\p{N})]\s*[和与及]\s*[\p{L}\p{N}(]/u,
];

const CALLED_BLEND = /\b(?:blend|mixture|mix|premix|compound)$|(?:复配|混合|预混)(?:物|料|剂|液)?$/iu;

/**
 * Whether an INCI name names several substances. Without a composition nobody knows then how much of each there
 * is. A slash without blanks joins nothing: `Caprylic/Capric Triglyceride` is one substance.
 */
export function isBlendName(inciName: string): boolean {
  const name = inciName.normalize('NFKC').trim();
  // `Aqua / Water / Eau` is one substance.
  if (Object.hasOwn(SYNONYMS, substanceKey(name))) return false;
  return CALLED_BLEND.test(name) || JOINS.some((join) => join.test(name));
}
