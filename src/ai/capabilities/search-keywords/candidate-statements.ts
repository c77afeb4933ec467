import { type Statement } from '../../../database/database.service';
import type { RowFilter } from '../../../database/row-filter';
import type {
  CandidateQuestion,
  IngredientProperty,
  NamedIngredients,
  OwnText,
  WantedKeyword,
} from './candidate-question';
import { type DateRange } from './phrase/phrase-dates';

/** More than are shown, so that the likest of equally good ones can be chosen. */
export const CANDIDATES = 200;

/** Newest formulas that are looked at one by one before all lines are. */
const NEWEST = 2_000;

const COLUMNS = `f.id, f.name, f.description, f.current_version AS "currentVersion", f.created_at AS "createdAt",
  CASE WHEN p.id IS NULL THEN NULL ELSE json_build_object('name', p.name) END AS project`;

const CURRENT = `formulas f
  JOIN formula_versions v ON v.formula_id = f.id AND v.version_number = f.current_version`;

const BEST_FIRST = `ORDER BY matched DESC, f.created_at DESC, f.id LIMIT ${CANDIDATES}`;

/**
 * A statement of its own for each search, never a prepared one: what serves a rare text does not serve a
 * common one.
 */
export type CandidateStatement = Statement & { readonly values: readonly unknown[] };

/**
 * Long texts lie out of line, which PostgreSQL does not count: it would read them all rather than use the
 * index.
 */
const USE_KEY_INDEX = '(f.current_version > 0 OR reads_out_of_line())';

/** Writes conditions and collects the values that they speak of. */
class Conditions {
  readonly values: unknown[] = [];

  constructor(
    private readonly filter: RowFilter,
    private readonly question: CandidateQuestion,
  ) {}

  /** The formula's project, where it may be read. */
  project(): string {
    return `LEFT JOIN projects p ON p.id = f.project_id AND ${this.readable('project', 'p')}`;
  }

  private readable(kind: string, row: string): string {
    const { sql, values } = this.filter.for(kind, row, this.values.length + 1);
    this.values.push(...values);
    return sql;
  }

  /** The formula's own texts. */
  named({ texts }: WantedKeyword): string {
    const matches = this.ownTexts(texts);
    return texts.every(({ isIndexed }) => isIndexed) ? `${matches} AND ${USE_KEY_INDEX}` : matches;
  }

  /** Conditions on the formula's own row and its project's. */
  own(): string[] {
    const { project, name, updated, created } = this.question;
    return [
      this.readable('formula', 'f'),
      ...(project === null ? [] : [`p.id = ANY (ARRAY(${this.projectsNamed(project)}))`]),
      ...(name === null ? [] : [this.ownName(name)]),
      ...this.within('f.updated_at', updated),
      ...this.within('f.created_at', created),
    ];
  }

  /** Conditions on the lines of version `v`, for plans that begin where they like. */
  lines(): string[] {
    const holding = (named: NamedIngredients): string =>
      `EXISTS (SELECT FROM formula_ingredients l WHERE l.formula_version_id = v.id AND ${this.isOneOf(named)})`;
    return [
      ...this.question.holds.flatMap((named) => [holding(named), ...this.inBounds(named)]),
      ...this.question.avoids.map((named) => `NOT ${holding(named)}`),
    ];
  }

  /** The same, asked of each formula by itself. */
  linesOneByOne(): string[] {
    return [
      ...this.question.holds.flatMap((named) => [this.holdsOneOf(named), ...this.inBounds(named)]),
      ...this.question.avoids.map((named) => `NOT ${this.holdsOneOf(named)}`),
    ];
  }

  /** Whether a formula matches a keyword, asked of it by itself. */
  matches(keyword: WantedKeyword): string {
    const own = this.ownTexts(keyword.texts);
    return keyword.count === 0 ? own : `(${own} OR ${this.holdsOneOf(keyword)})`;
  }

  /** Whether the ingredient of line `l` is one of these, for plans that begin where they like. */
  isOneOf({ ids, property }: NamedIngredients): string {
    return ids === undefined
      ? `l.ingredient_id IN (${this.ingredientsWith(property!)})`
      : `l.ingredient_id = ANY (${this.bind(ids)}::uuid[])`;
  }

  /**
   * The same, asked of each line by itself: ingredients that are not listed are hashed once for all lines.
   * `IS TRUE` keeps IN from becoming a join. That there are few in an array is what PostgreSQL expects of
   * each: it would not hash what it expects to exceed `work_mem`, and compare each line with all of them.
   */
  private isOneOfHashed(named: NamedIngredients): string {
    if (named.ids !== undefined) return this.isOneOf(named);
    const ingredients = `SELECT unnest(ARRAY(${this.ingredientsWith(named.property!)}))`;
    return `(l.ingredient_id IN (${ingredients})) IS TRUE`;
  }

  /**
   * A scalar subquery says that each formula is asked by itself: PostgreSQL would turn EXISTS inside an OR,
   * or over a list that will be cut short, into a hash of all lines.
   */
  private holdsOneOf(named: NamedIngredients): string {
    return `coalesce((SELECT true FROM formula_ingredients l
                      WHERE l.formula_version_id = v.id AND ${this.isOneOfHashed(named)} LIMIT 1), false)`;
  }

  /** Bounds of what they make up together, in all lines of version `v`. */
  private inBounds(named: NamedIngredients): string[] {
    const { min, max, isExclusive = false } = named.bounds ?? {};
    if (min === undefined && max === undefined) return [];
    const sum = `(SELECT sum(l.percentage) FROM formula_ingredients l
                  WHERE l.formula_version_id = v.id AND ${this.isOneOf(named)})`;
    return [
      ...(min === undefined ? [] : [`${sum} ${isExclusive ? '>' : '>='} ${this.bind(min)}`]),
      ...(max === undefined ? [] : [`${sum} ${isExclusive ? '<' : '<='} ${this.bind(max)}`]),
    ];
  }

  private within(column: string, { from, until }: DateRange = {}): string[] {
    return [
      ...(from ? [`${column} >= ${this.bind(from)}`] : []),
      ...(until ? [`${column} < ${this.bind(until)}`] : []),
    ];
  }

  private ownTexts(texts: readonly OwnText[]): string {
    const conditions = texts.map(({ pattern, word }) =>
      word === undefined
        ? this.ownText(pattern)
        : `(${this.ownText(pattern)} AND f.search_key ~ ${this.bind(word)})`,
    );
    return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' OR ')})`;
  }

  private ownText(pattern: string): string {
    return `f.search_key LIKE search_key(${this.bind(pattern)})`;
  }

  /** In a search key the name ends where U+001F stands. */
  private ownName(pattern: string): string {
    return `f.search_key LIKE search_key(${this.bind(pattern)}) || U&'\\001F%'`;
  }

  /** SELECT of the ids. */
  private projectsNamed(pattern: string): string {
    return `SELECT id FROM projects WHERE search_text(name) LIKE search_text(${this.bind(pattern)})`;
  }

  /** SELECT of the ids. */
  private ingredientsWith(property: IngredientProperty): string {
    const condition =
      'pattern' in property
        ? `i.search_key LIKE search_key(${this.bind(property.pattern)})`
        : `i.function_category = ${this.bind(property.category)}`;
    return `SELECT i.id FROM ingredients i WHERE ${condition} AND ${this.readable('ingredient', 'i')}`;
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

const all = (conditions: readonly string[]): string =>
  conditions.length > 0 ? conditions.join(' AND ') : 'true';

function statement(
  filter: RowFilter,
  question: CandidateQuestion,
  write: (conditions: Conditions) => string,
): CandidateStatement {
  const conditions = new Conditions(filter, question);
  return { text: write(conditions), values: conditions.values };
}

/** The newest formulas that meet the filters. */
export const byFilters = (filter: RowFilter, question: CandidateQuestion): CandidateStatement =>
  statement(
    filter,
    question,
    (conditions) => `
      SELECT ${COLUMNS}, 0 AS matched FROM ${CURRENT} ${conditions.project()}
      WHERE ${all([...conditions.own(), ...conditions.lines()])}
      ORDER BY f.created_at DESC, f.id LIMIT ${CANDIDATES}`,
  );

/**
 * Among the newest formulas, those that match every keyword. Where a full list of them is found they are the
 * answer: none matches more, and none that matches as much is newer.
 */
export const matchingAll = (filter: RowFilter, question: CandidateQuestion): CandidateStatement =>
  statement(
    filter,
    question,
    (conditions) => `
      SELECT f.*, ${question.keywords.length} AS matched
      FROM (SELECT ${COLUMNS}, f.search_key, f.created_at, v.id AS version_id FROM ${CURRENT} ${conditions.project()}
            WHERE ${all(conditions.own())}
            ORDER BY f.created_at DESC, f.id LIMIT ${NEWEST}) f
      CROSS JOIN LATERAL (SELECT f.version_id AS id) v
      WHERE ${all([...question.keywords.map((keyword) => conditions.matches(keyword)), ...conditions.linesOneByOne()])}
      ORDER BY f.created_at DESC, f.id LIMIT ${CANDIDATES}`,
  );

/**
 * Where the filters, or the keywords in `among`, leave few formulas: each of them is asked for every keyword.
 * Joined to nothing, a long text is unpacked once and not for each keyword; the outer OFFSET has each keyword
 * looked for once, and not again for the condition.
 */
export const matchingAmongFew = (
  filter: RowFilter,
  question: CandidateQuestion,
  among?: readonly WantedKeyword[],
): CandidateStatement =>
  statement(filter, question, (conditions) => {
    const matches = question.keywords.map((keyword) => conditions.matches(keyword));
    const few = among ? [`f.id IN (SELECT id FROM (${hits(conditions, among)}) hit)`] : [];
    return `
      SELECT * FROM (
        SELECT f.id, f.name, f.description, f."currentVersion", f."createdAt", f.project, f.created_at,
               ${matches.map((condition) => `(${condition})::int`).join(' + ')} AS matched
        FROM (SELECT ${COLUMNS}, f.created_at, f.search_key || '' AS search_key, v.id AS version_id
              FROM ${CURRENT} ${conditions.project()}
              WHERE ${all([...few, ...conditions.own(), ...conditions.lines()])}
              OFFSET 0) f
        CROSS JOIN LATERAL (SELECT f.version_id AS id) v
        OFFSET 0) f
      WHERE matched > 0
      ${BEST_FIRST}`;
  });

/** Every formula that matches a keyword is counted. */
export const matchingAny = (filter: RowFilter, question: CandidateQuestion): CandidateStatement =>
  statement(filter, question, (conditions) => {
    const scored = `SELECT id, bit_or(bit) AS bits FROM (${hits(conditions, question.keywords)}) hit GROUP BY id`;
    const lines = conditions.lines();
    const version =
      lines.length === 0
        ? ''
        : 'JOIN formula_versions v ON v.formula_id = f.id AND v.version_number = f.current_version';
    return `
      SELECT ${COLUMNS}, bit_count(scored.bits::bit(32)) AS matched
      FROM (${scored}) scored JOIN formulas f ON f.id = scored.id ${version}
      ${conditions.project()}
      WHERE ${all([...conditions.own(), ...lines])}
      ${BEST_FIRST}`;
  });

/** Ids of formulas with a bit for each keyword found in one, as often as it is found. */
function hits(conditions: Conditions, keywords: readonly WantedKeyword[]): string {
  const names = keywords.map(
    (keyword, at) => `SELECT f.id, ${1 << at} AS bit FROM formulas f WHERE ${conditions.named(keyword)}`,
  );
  const lines = keywords.flatMap((keyword, at) =>
    keyword.count === 0
      ? []
      : [
          `SELECT l.formula_version_id, ${1 << at} AS bit FROM formula_ingredients l
           WHERE ${conditions.isOneOf(keyword)}`,
        ],
  );
  if (lines.length === 0) return names.join(' UNION ALL ');
  return `${names.join(' UNION ALL ')}
    UNION ALL
    SELECT f.id, line.bit FROM (${lines.join(' UNION ALL ')}) line
    JOIN formula_versions v ON v.id = line.formula_version_id
    JOIN formulas f ON f.id = v.formula_id AND f.current_version = v.version_number`;
}
