import type { FunctionCategory } from '../../../../ingredients/function-category';
import { distinctBy } from '../../../../platform/common/collections';
import type { DateRange, PercentBounds } from './phrase-values';
import { partsOfPhrase, type PhrasePart, meaningOf, type Unit } from './phrase-parts';

/** An ingredient, a family or a function in a phrase. */
export interface IngredientTerm {
  /** The text as written. */
  readonly text: string;
  /** Keys of its names. */
  readonly keys: readonly string[];
  /** Words that its name may contain. */
  readonly words: readonly string[];
  readonly category?: FunctionCategory;
  readonly bounds?: PercentBounds;
}

/** A word to search for in texts, and the ingredients that match it as well. */
export interface KeywordTerm {
  readonly text: string;
  /** Words that are used for it in texts. */
  readonly found: readonly string[];
  readonly ingredient: IngredientTerm;
}

/** The content of a phrase, as read by rules. */
export interface PhraseReading {
  /** The words to search for, as written. */
  readonly words: readonly string[];
  readonly keywords: readonly KeywordTerm[];
  /** The formula must contain one ingredient of each. */
  readonly holds: readonly IngredientTerm[];
  /** The formula must not contain any of these. */
  readonly avoids: readonly IngredientTerm[];
  /** Words after 无 and 非. Avoided if the catalogue has such ingredients and none with the full name. */
  readonly perhapsAvoids: readonly { readonly word: IngredientTerm; readonly full: IngredientTerm }[];
  readonly updated?: DateRange;
  readonly created?: DateRange;
  /** True if a rule applies. Otherwise the phrase is searched for as plain text. */
  readonly isUnderstood: boolean;
}

type Mode = 'wanted' | 'held' | 'avoided';

/** A term while the phrase is read. The following text may exclude or bound it. */
interface Draft {
  mode: Mode;
  bounds?: PercentBounds;
  readonly entry: PhrasePart;
  readonly isConnected: boolean;
}

/** Maximum number of words to search for, and of required ingredients. */
const MOST_TERMS = 12;

/**
 * Reads a phrase by rules.
 * @param phrase the normalized phrase
 * @param catalogue keys of the catalogue's names in the phrase
 */
export function readPhrase(
  phrase: string,
  units: readonly Unit[],
  catalogue: ReadonlySet<string>,
  now: Date,
): PhraseReading {
  const entries = joinedWords(partsOfPhrase(phrase, units, catalogue, now));
  const drafts: Draft[] = [];
  const perhaps: { word: PhrasePart; full: PhrasePart }[] = [];
  let mode: Mode = 'wanted';
  let isStrong = true;
  let isConnected = false;
  let pending: PercentBounds | undefined;
  for (const [at, entry] of entries.entries()) {
    const next = entries[at + 1];
    switch (entry.kind) {
      case 'excluding':
      case 'excluding-ingredient':
        mode = 'avoided';
        isStrong = entry.kind === 'excluding' && !/^\p{N}/u.test(next?.text ?? '');
        break;
      case 'including':
        mode = 'held';
        isStrong = true;
        break;
      case 'excluding-before':
        excludeBefore(drafts);
        mode = 'wanted';
        break;
      case 'connecting':
        isConnected = true;
        continue;
      case 'filler':
        if (entry.text === '的') mode = 'wanted';
        continue;
      case 'bounds': {
        const last = drafts.at(-1);
        if (last && last.bounds === undefined && last.entry.kind !== 'product') last.bounds = entry.bounds;
        else pending = entry.bounds;
        continue;
      }
      case 'ingredient':
        drafts.push({ mode, entry, bounds: pending, isConnected });
        pending = undefined;
        if (!continues(entry, next)) mode = 'wanted';
        break;
      case 'word': {
        const marker = entries[at - 1];
        // "No synthetic fragrance": formulas do not record the kind of a fragrance, so all fragrances are excluded.
        if (mode === 'avoided' && isStrong && qualifies(entry, next, phrase)) continue;
        if (mode === 'avoided' && !isStrong) {
          const full = { ...entry, text: `${marker?.text ?? ''}${entry.text}` };
          if (/\p{Script=Han}{2}/u.test(entry.text)) perhaps.push({ word: entry, full });
          else drafts.push({ mode: 'wanted', entry: full, isConnected });
        } else {
          drafts.push({ mode: pending ? 'held' : mode, entry, bounds: pending, isConnected });
          pending = undefined;
        }
        if (!continues(entry, next)) mode = 'wanted';
        break;
      }
      case 'product':
        mode = 'wanted';
        drafts.push({ mode, entry, isConnected });
        break;
      case 'created':
      case 'updated':
      case 'dates':
        continue;
    }
    isConnected = false;
  }
  return readingOf(entries, drafts, perhaps);
}

/** Returns true if the list goes on: after "and", and in Chinese without a word between. */
const continues = (entry: PhrasePart, next: PhrasePart | undefined): boolean =>
  next !== undefined &&
  (next.kind === 'connecting' ||
    next.kind === 'bounds' ||
    (next.kind === 'ingredient' && next.start === entry.end));

/** Returns true if only blanks separate a word from the ingredient after it. */
const qualifies = (word: PhrasePart, next: PhrasePart | undefined, phrase: string): boolean =>
  next?.kind === 'ingredient' && phrase.slice(word.end, next.start).trim() === '';

/** "Paraben and sulfate free": excludes the last term and the terms that are connected with it. */
function excludeBefore(drafts: readonly Draft[]): void {
  for (const draft of drafts.toReversed()) {
    draft.mode = 'avoided';
    if (!draft.isConnected) return;
  }
}

/** "Methyl isothiazolinone": joins the words after a word such as "without" into one name. */
function joinedWords(entries: readonly PhrasePart[]): PhrasePart[] {
  const joined: PhrasePart[] = [];
  let isName = false;
  for (const entry of entries) {
    const last = joined.at(-1);
    if (entry.kind === 'word' && last?.kind === 'word' && isName) {
      joined[joined.length - 1] = { ...last, end: entry.end, text: `${last.text} ${entry.text}` };
      continue;
    }
    if (entry.kind !== 'word') isName = entry.kind === 'excluding' || entry.kind === 'including';
    joined.push(entry);
  }
  return joined;
}

function readingOf(
  entries: readonly PhrasePart[],
  drafts: readonly Draft[],
  perhaps: readonly { word: PhrasePart; full: PhrasePart }[],
): PhraseReading {
  const held = distinctBy(
    drafts.filter(({ mode, bounds }) => mode === 'held' || (mode === 'wanted' && bounds)),
    ({ entry, bounds }) => JSON.stringify([entry.text, bounds]),
  ).slice(0, MOST_TERMS);
  const avoided = drafts.filter(({ mode }) => mode === 'avoided');
  const wanted = drafts.filter(({ mode, bounds }) => mode === 'wanted' && !bounds);
  const dates = entries.find(({ kind }) => kind === 'dates')?.dates;
  const isCreated =
    entries.some(({ kind }) => kind === 'created') && !entries.some(({ kind }) => kind === 'updated');
  const timeless = dates ? [] : entries.filter(({ kind }) => kind === 'created' || kind === 'updated');
  const keywords = distinctBy([...wanted.map(({ entry }) => entry), ...timeless], ({ text }) => text).slice(
    0,
    MOST_TERMS,
  );
  const perhapsAvoided = distinctBy(perhaps, ({ full }) => full.text).slice(0, MOST_TERMS);
  return {
    words: [...new Set([...held.map(({ entry }) => entry), ...keywords].map(({ text }) => text))],
    // Without a date, "new" and "更新" are ordinary words.
    keywords: keywords.map(keywordOf),
    holds: held.map(termOf),
    avoids: avoided.map(termOf),
    perhapsAvoids: perhapsAvoided.map(({ word, full }) => ({
      word: wordTerm(word.text),
      full: wordTerm(full.text),
    })),
    ...(dates && (isCreated ? { created: dates } : { updated: dates })),
    isUnderstood:
      held.length + avoided.length + perhaps.length > 0 ||
      dates !== undefined ||
      (drafts.length > 1 && drafts.some(({ entry }) => entry.kind === 'ingredient')) ||
      drafts.some(({ entry }) => entry.category !== undefined || entry.family !== undefined),
  };
}

function keywordOf(entry: PhrasePart): KeywordTerm {
  return { text: entry.text, found: entry.found ?? [entry.text], ingredient: termOf({ entry }) };
}

function termOf({
  entry,
  bounds,
}: {
  readonly entry: PhrasePart;
  readonly bounds?: PercentBounds;
}): IngredientTerm {
  if (entry.kind !== 'ingredient') return { ...wordTerm(entry.text), bounds };
  const { text, keys = [], family = [], category } = entry;
  return { text, keys, words: family, category, bounds };
}

/** Returns a term for a word that is not a known name. It matches ingredients whose names contain the word. */
const wordTerm = (text: string): IngredientTerm => ({ text, keys: [], words: [singular(text)] });

const singular = (word: string): string => (/^[a-z]{4,}s$/.test(word) ? word.slice(0, -1) : word);

/**
 * Returns the parts of a reading that apply in addition to a model's answer: exclusions, bounds and dates.
 * @param avoided ingredients that the model excludes, under all their names
 */
export function filterTerms(reading: PhraseReading | undefined, avoided: readonly string[]): PhraseReading {
  const names = avoided.map((text) => termOf({ entry: { ...meaningOf(text), text, start: 0, end: 0 } }));
  return {
    words: [],
    keywords: [],
    holds: reading?.holds.filter(({ bounds }) => bounds) ?? [],
    avoids: [...(reading?.avoids ?? []), ...names],
    perhapsAvoids: [],
    updated: reading?.updated,
    created: reading?.created,
    isUnderstood: true,
  };
}
