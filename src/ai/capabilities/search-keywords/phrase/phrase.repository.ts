import { Injectable } from '@nestjs/common';
import { containing, hasTrigram, literalRegex } from '../../../../common/search-pattern';
import { Database } from '../../../../database/database';
import type { ReadAccess } from '../../../../database/read-access';
import { readable } from '../../../../database/readable';
import { isShortWord } from '../../ingredient-names/name-words';
import { type CandidateQuestion, type NamedIngredients, type OwnText } from '../candidate-statements';
import { type IngredientTerm, type PhraseReading } from './read-phrase';

const known = (column: 'inci_name' | 'chinese_name'): string => `
  SELECT (name_keys(i.${column}))[1] AS key FROM ingredients i
  WHERE name_keys(i.${column}) && $1::text[] AND ${readable.ingredient('i')}`;

/** $1: keys of everything that may be a name; the indexes of `name_keys` lead to those that are. */
const KNOWN_NAMES = {
  name: 'ai-search.known-names',
  mayLag: true,
  text: `SELECT DISTINCT key FROM (${known('inci_name')} UNION ALL ${known('chinese_name')}) names
         WHERE key = ANY ($1::text[])`,
};

const called = (column: 'inci_name' | 'chinese_name'): string => `
  SELECT i.id FROM ingredients i
  WHERE name_keys(i.${column}) && asked.keys AND (name_keys(i.${column}))[1] = ANY (asked.keys)
    AND ${readable.ingredient('i')}`;

/** $1: terms as JSON, each with keys of names, words of names (pattern, regular expression), category. */
const INGREDIENTS_OF_TERMS = {
  name: 'ai-search.ingredients-of-terms',
  mayLag: true,
  text: `SELECT coalesce(array_agg(found.id) FILTER (WHERE found.id IS NOT NULL), '{}')::text AS ids,
                count(found.id)::int AS count
         FROM json_to_recordset($1::json)
              AS asked (number integer, keys text[], patterns text[], regexes text[], category text)
         LEFT JOIN LATERAL (
           ${called('inci_name')}
           UNION ${called('chinese_name')}
           UNION SELECT i.id FROM unnest(asked.patterns, asked.regexes) AS word (pattern, regex)
                 JOIN ingredients i ON i.search_key LIKE search_key(pattern)
                                   AND (regex IS NULL OR i.search_key ~ regex)
                 WHERE ${readable.ingredient('i')}
           UNION SELECT i.id FROM ingredients i
                 WHERE i.function_category = asked.category AND ${readable.ingredient('i')}) found ON true
         GROUP BY number ORDER BY number`,
};

interface Row {
  ids: string;
  count: number;
}

/** What a phrase asks the database, and the words that are looked for. */
interface UnderstoodPhrase {
  readonly question: CandidateQuestion;
  readonly words: string[];
}

/** What the catalogue knows of the terms of a phrase. */
@Injectable()
export class PhraseRepository {
  constructor(private readonly database: Database) {}

  /** Which of these keys (`squeezed`) are those of names in the catalogue. */
  async knownNames(access: ReadAccess, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ key: string }>(...access.reading(KNOWN_NAMES, [keys]));
    return new Set(rows.map(({ key }) => key));
  }

  /** A reading with its ingredients looked up, all in one statement. */
  async question(access: ReadAccess, reading: PhraseReading): Promise<UnderstoodPhrase> {
    const { keywords, holds, avoids, perhapsAvoids, updated, created } = reading;
    const terms = [
      ...keywords.map(({ ingredient }) => ingredient),
      ...holds,
      ...avoids,
      ...perhapsAvoids.flatMap(({ word, whole }) => [word, whole]),
    ];
    const found = await this.ingredientsOf(access, terms);
    const take = <T>(list: readonly T[], each = 1): NamedIngredients[] => found.splice(0, list.length * each);
    const wanted = take(keywords);
    const held = take(holds);
    const avoided = take(avoids);
    const perhaps = take(perhapsAvoids, 2);
    const isAvoided = (at: number): boolean => perhaps[2 * at]!.count > 0 && perhaps[2 * at + 1]!.count === 0;
    const avoidedWords = perhapsAvoids.flatMap((_, at) => (isAvoided(at) ? [perhaps[2 * at]!] : []));
    const wholeWords = perhapsAvoids.flatMap(({ whole }, at) =>
      isAvoided(at) ? [] : [{ text: whole.text, ingredients: perhaps[2 * at + 1]! }],
    );
    const question = {
      keywords: [
        ...keywords.map(({ found: texts }, at) => ({ ...wanted[at]!, texts: texts.map(ownText) })),
        ...wholeWords.map(({ text, ingredients }) => ({ ...ingredients, texts: [ownText(text)] })),
      ],
      holds: held,
      avoids: [...avoided, ...avoidedWords].filter(({ count }) => count > 0),
      project: null,
      name: null,
      updated,
      created,
    };
    return { question, words: [...reading.words, ...wholeWords.map(({ text }) => text)] };
  }

  private async ingredientsOf(
    access: ReadAccess,
    terms: readonly IngredientTerm[],
  ): Promise<NamedIngredients[]> {
    if (terms.length === 0) return [];
    const asked = terms.map(({ keys, words, category }, number) => ({
      number,
      keys,
      patterns: words.map(containing),
      regexes: words.map(wordRegex),
      category,
    }));
    const rows = await this.database.query<Row>(
      ...access.reading(INGREDIENTS_OF_TERMS, [JSON.stringify(asked)]),
    );
    return rows.map((row, at) => ({ ...row, bounds: terms[at]!.bounds }));
  }
}

const ownText = (text: string): OwnText => ({
  pattern: containing(text),
  isIndexed: hasTrigram(text),
  ...(isShortWord(text) && { word: aloneRegex(text) }),
});

/** A short word stands alone, as the database says it: no Latin letter beside it, but perhaps a plural. */
const aloneRegex = (word: string): string => `(?<![a-z])${literalRegex(word)}s?(?![a-z])`;

/** As `holdsWord`; null where the pattern says it all. */
function wordRegex(word: string): string | null {
  if (isShortWord(word)) return aloneRegex(word);
  if (!/^[a-z]/.test(word) && !/[a-z]$/.test(word)) return null;
  const literal = literalRegex(word);
  return `(?<![a-z])${literal}|${literal}(?![a-z])|${literal}s(?![a-z])`;
}
