import { hash } from 'node:crypto';
import { FAMILIES, NAMESAKES } from '../../ingredients/names/everyday-names';
import type { FoundIngredient } from '../../ingredients/names/ingredient-lookup.repository';
import type { IngredientResolver } from '../../ingredients/names/ingredient-resolver';
import { currencyOf, kilogramsOf } from '../../ingredients/price-unit';
import { exactOf, type Resolution } from '../../ingredients/names/resolution';
import type { Reader } from '../../platform/access/row-filter';
import { distinct } from '../../platform/common/collections';
import { inTurns } from '../../platform/common/in-turns';
import { nameKey, plainText } from '../../platform/common/name-forms';

/** An ingredient of the catalogue with its two names. */
export interface NamedIngredient {
  readonly inciName: string;
  readonly chineseName: string;
  /** Absent if the catalogue has no price, or none by weight, or one by volume without a density. */
  readonly pricePerKg?: number;
  /** Names of the request that mean it. */
  readonly names?: readonly string[];
}

const wordsOfFamilies = new Map(
  FAMILIES.flatMap(({ names, words }) => names.map((name) => [nameKey(name), words] as const)),
);

/** Returns the words that identify the members of a family, or undefined if this is not the name of a family. */
export const familyOf = (name: string): readonly string[] | undefined => wordsOfFamilies.get(nameKey(name));

/**
 * Determines which names belong to one ingredient: the names of the request that mean it, both names of the catalogue,
 * everyday names, and names with the same key.
 */
export class IngredientNames {
  private readonly ingredients = new Map<string, NamedIngredient[]>();
  private readonly keys = new Map<string, string>();
  private readonly texts = new Map<string, string>();
  private readonly others = new Map<string, ReadonlySet<string>>();

  constructor(ingredients: Iterable<NamedIngredient> = []) {
    for (const ingredient of ingredients) this.add(ingredient);
  }

  /**
   * Looks up the names of a request in the catalogue.
   * @param pairs further ingredients whose two names are known
   */
  static async of(
    resolver: IngredientResolver,
    reader: Reader,
    names: readonly string[],
    pairs: readonly NamedIngredient[] = [],
  ): Promise<IngredientNames> {
    const resolutions = await resolver.resolve(reader, distinct(names), { withSimilar: false });
    const found = new Map<string, NamedIngredient & { names: string[] }>();
    for (const resolution of resolutions) {
      for (const { id, inciName, chineseName, unitPrice, unit, density } of meantBy(resolution)) {
        const ingredient = found.get(id) ?? {
          inciName,
          chineseName,
          pricePerKg: pricePerKg(unitPrice, unit, density),
          names: [],
        };
        ingredient.names.push(resolution.name);
        found.set(id, ingredient);
      }
    }
    const known = new IngredientNames();
    await inTurns([...pairs, ...found.values()], (ingredient) => known.add(ingredient));
    await inTurns(names, (name) => known.namesOf(name));
    return known;
  }

  /** Returns a hash of what is known. Only users who read the same ingredients may share results of it. */
  digest(): string {
    const rows = [...this.ingredients].flatMap(([key, ingredients]) =>
      ingredients.map(({ inciName, chineseName, pricePerKg }) =>
        JSON.stringify([key, inciName, chineseName, pricePerKg]),
      ),
    );
    return hash('sha256', distinct(rows).sort().join('\n'));
  }

  keyOf(name: string): string {
    let key = this.keys.get(name);
    if (key === undefined) {
      this.keys.set(name, (key = nameKey(name)));
      if (!this.texts.has(key)) this.texts.set(key, spacedText(name));
    }
    return key;
  }

  /** Returns the keys of all names of the ingredient with this name, its own key first. */
  namesOf(name: string): ReadonlySet<string> {
    const key = this.keyOf(name);
    let names = this.others.get(key);
    if (!names) this.others.set(key, (names = this.findNames(key)));
    return names;
  }

  /** Returns all names of the ingredient with this name in the form in which words are searched for. */
  textsOf = (name: string): string[] => [...this.namesOf(name)].map((key) => this.texts.get(key) ?? key);

  /** Returns true if the catalogue or the list of everyday names contains the name. */
  isKnown(name: string): boolean {
    const key = this.keyOf(name);
    return NAMESAKES.has(key) || this.ingredients.has(key);
  }

  /**
   * Returns the price per kilogram, or undefined if no ingredient has one. If several ingredients of this name
   * have a price, returns the highest, so that a cost limit is not exceeded unnoticed.
   */
  pricePerKg(name: string): number | undefined {
    const key = this.keyOf(name);
    return this.highest([key]) ?? this.highest(NAMESAKES.get(key) ?? []);
  }

  private add(ingredient: NamedIngredient): void {
    for (const key of this.keysOf(ingredient)) {
      const named = this.ingredients.get(key);
      if (named) named.push(ingredient);
      else this.ingredients.set(key, [ingredient]);
    }
  }

  /** Without placeholders such as "-", which must not connect ingredients. */
  private keysOf({ inciName, chineseName, names = [] }: NamedIngredient): string[] {
    return distinct([inciName, chineseName, ...names].map((name) => this.keyOf(name))).filter(
      (key) => key !== '',
    );
  }

  private highest(keys: readonly string[]): number | undefined {
    const prices = keys
      .flatMap((key) => this.ingredients.get(key) ?? [])
      .flatMap(({ pricePerKg }) => pricePerKg ?? []);
    return prices.length > 0 ? Math.max(...prices) : undefined;
  }

  private findNames(key: string): ReadonlySet<string> {
    const names = new Set([key]);
    for (const written of NAMESAKES.get(key) ?? [key]) {
      names.add(written);
      for (const name of (this.ingredients.get(written) ?? []).flatMap((one) => this.keysOf(one))) {
        names.add(name);
        for (const other of NAMESAKES.get(name) ?? []) names.add(other);
      }
    }
    return names;
  }
}

/** Returns the ingredients that a name means. A solution is not its substance. */
function meantBy(resolution: Resolution): Omit<FoundIngredient, 'via'>[] {
  const exact = exactOf(resolution);
  if (resolution.certain) return exact.slice(0, 1);
  return resolution.grade === null ? exact : [];
}

/**
 * Returns the price in yuan per kilogram, or undefined if there is no price, or if its unit has no mass or names
 * another currency.
 * @param density kilograms per litre
 */
export function pricePerKg(
  unitPrice: number | null,
  unit: string,
  density?: number | null,
): number | undefined {
  const kilograms = kilogramsOf(unit, density);
  if (unitPrice === null || 'reason' in kilograms || !['', 'CNY'].includes(currencyOf(unit)))
    return undefined;
  const price = unitPrice / kilograms.toNumber();
  return Number.isFinite(price) ? price : undefined;
}

/** The text of a name with blanks between its words, in which words are searched for. */
export const spacedText = (name: string): string => plainText(name).replace(/[-_ ]+/g, ' ');

/** Returns true if a word has so few Latin letters that it must stand alone in a text: "AHA" is not in "Bahama". */
export const isShortWord = (word: string): boolean => /^\p{Script=Latin}{1,3}$/u.test(word);

const LETTER = /^\p{Script=Latin}$/u;
const isLetter = (text: string, at: number): boolean => at >= 0 && at < text.length && LETTER.test(text[at]!);

/**
 * Returns true if a name contains a word, both as `spacedText`. A short word must stand alone, a Latin word must begin
 * or end a word ("paraben" in "methylparaben"), and any other word may be anywhere.
 */
export function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const startsWord = !isLetter(text, at - 1) || !isLetter(word, 0);
    const endsWord = !isLetter(text, at + word.length) || !isLetter(word, word.length - 1);
    if (isShortWord(word) ? startsWord && endsWord : startsWord || endsWord) return true;
  }
  return false;
}
