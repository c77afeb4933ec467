import { Injectable } from '@nestjs/common';
import { containing, hasTrigram, literalRegex } from '../../../../common/search-pattern';
import { DatabaseService } from '../../../../database/database.service';
import type { RowCondition, RowFilter } from '../../../../database/row-filter';
import { isShortWord } from '../../ingredient-names/name-words';
import { type CandidateQuestion, type NamedIngredients, type OwnText } from '../candidate-question';
import { type IngredientTerm, type PhraseReading } from './read-phrase';

/**
 * $1: terms as JSON, each with ids that are known, words of names (pattern, regular expression), category;
 * those of one number are looked up together, and which of
 * them stand for anything is counted.
 */
const ingredientsOfTerms = (readable: RowCondition): string => `WITH asked AS MATERIALIZED (
           SELECT * FROM json_to_recordset($1::json)
                    AS asked (number integer, term integer, ids uuid[], pattern text, regex text, category text))
         SELECT coalesce(array_agg(DISTINCT found.id) FILTER (WHERE found.id IS NOT NULL), '{}')::text AS ids,
                count(DISTINCT found.id)::int AS count, count(DISTINCT found.term)::int AS "termsFound"
         FROM (SELECT DISTINCT number FROM asked) numbers LEFT JOIN LATERAL (
           SELECT term, unnest(ids) AS id FROM asked WHERE asked.number = numbers.number
           UNION SELECT term, i.id FROM asked JOIN ingredients i
                   ON i.search_key LIKE search_key(pattern) AND (regex IS NULL OR i.search_key ~ regex)
                 WHERE asked.number = numbers.number AND ${readable.sql}
           UNION SELECT term, i.id FROM asked JOIN ingredients i ON i.function_category = asked.category
                 WHERE asked.number = numbers.number AND ${readable.sql}) found ON true
         GROUP BY number ORDER BY number`;

interface FoundIngredients extends NamedIngredients {
  /** How many of the terms stand for anything. */
  readonly termsFound: number;
}

/** What a phrase asks the database, and the words that are looked for. */
interface UnderstoodPhrase {
  readonly question: CandidateQuestion;
  readonly words: string[];
  /** How many of the names that it rules out stand for nothing that the reader may see. */
  readonly excludedUnknown: number;
}

/** What the catalogue knows of the terms of a phrase. */
@Injectable()
export class PhraseRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * A reading with its ingredients looked up, all in one statement.
   * @param ids of what has a name of the reading (`CatalogueNamesRepository.idsOf`)
   */
  async question(
    filter: RowFilter,
    reading: PhraseReading,
    ids: ReadonlyMap<string, string>,
  ): Promise<UnderstoodPhrase> {
    const { keywords, holds, avoids, perhapsAvoids, updated, created } = reading;
    const found = await this.ingredientsOf(filter, ids, [
      ...keywords.map(({ ingredient }) => [ingredient]),
      ...holds.map((term) => [term]),
      ...perhapsAvoids.flatMap(({ word, whole }) => [[word], [whole]]),
      ...(avoids.length > 0 ? [avoids] : []),
    ]);
    const wanted = found.splice(0, keywords.length);
    const held = found.splice(0, holds.length);
    const perhaps = found.splice(0, perhapsAvoids.length * 2);
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
      holds: held.map((named, at) => ({ ...named, bounds: holds[at]!.bounds })),
      avoids: [...found, ...avoidedWords].filter(({ count }) => count > 0),
      project: null,
      name: null,
      updated,
      created,
    };
    return {
      question,
      words: [...reading.words, ...wholeWords.map(({ text }) => text)],
      excludedUnknown: found[0] ? distinctTerms(avoids).length - found[0].termsFound : 0,
    };
  }

  /** The ingredients of each list of terms together. */
  private async ingredientsOf(
    filter: RowFilter,
    ids: ReadonlyMap<string, string>,
    lists: readonly (readonly IngredientTerm[])[],
  ): Promise<FoundIngredients[]> {
    if (lists.length === 0) return [];
    const asked = lists.flatMap((terms, number) => {
      const ofTerms = distinctTerms(terms).flatMap(({ keys, words, category }, term) => [
        ...keys.flatMap((key) => (ids.has(key) ? [{ number, term, ids: ids.get(key) }] : [])),
        ...words.map((word) => ({ number, term, pattern: containing(word), regex: wordRegex(word) })),
        ...(category ? [{ number, term, category }] : []),
      ]);
      return [{ number }, ...ofTerms];
    });
    const readable = filter.for('ingredient', 'i', 2);
    return this.database.query<FoundIngredients>(
      { name: filter.named('ai-search.ingredients-of-terms'), text: ingredientsOfTerms(readable) },
      [JSON.stringify(asked), ...readable.values],
    );
  }
}

const distinctTerms = (terms: readonly IngredientTerm[]): IngredientTerm[] => [
  ...new Map(terms.map((term) => [term.text, term])).values(),
];

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
