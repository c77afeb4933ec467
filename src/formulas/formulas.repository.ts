import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { JsonPage, JsonText } from '../common/json-text';
import { offsetOf, type PageQuery } from '../common/pagination';
import { Database, type Statement } from '../database/database';
import {
  DEEP_OFFSET,
  idsOfDatedPage,
  idsOfPage,
  keptCount,
  type Order,
  orderBy,
  pageOf,
} from '../database/counted-pages';
import { countedPage, jsonPage } from '../database/json-columns';
import type { RowValues } from '../database/json-repository';
import type { ReadAccess } from '../database/read-access';
import { readable } from '../database/readable';
import { IngredientEntity } from '../ingredients/ingredient.entity';
import { ProjectEntity } from '../projects/project.entity';
import {
  type FormulaDto,
  type FormulaMetadataDto,
  type FormulaSort,
  LISTED_COLUMNS,
  type ListedFormulaDto,
  type PhaseDto,
  type SortOrder,
} from './formula.dto';
import { FormulaEntity } from './formula.entity';
import {
  CHANGEABLE,
  FORMULAS,
  LINES,
  PHASES,
  SENT_OF_FORMULA,
  SENT_OF_LINE,
  SENT_OF_PHASE,
} from './formula-tables';
import {
  CREATE_FORMULA,
  projectOf,
  READ_FORMULA,
  READ_METADATA,
  REVISE_FORMULA,
  UPDATE_METADATA,
} from './formula.sql';
import {
  FORMULA_SEARCHES,
  type FormulaSearch,
  KNOWN_WORDS,
  READABLE_KNOWN_WORDS,
  searchFor,
} from './formula-search.sql';
import type { SearchWords } from './search-words';

/** Violated when a composition or formula refers to what does not exist. */
export const INGREDIENT_REFERENCE = 'fk_formula_ingredients_ingredient';
export const PROJECT_REFERENCE = 'fk_formulas_project';

export interface FormulaListing extends PageQuery {
  sortBy: FormulaSort;
  sortOrder: SortOrder;
}

const MAY_READ = readable.formula('formulas');

const OWNER: Statement = {
  name: 'formulas.owner',
  text: `SELECT ${FORMULAS.shown(['id', 'createdBy'])} FROM formulas
         WHERE id = ANY ($1::uuid[]) AND ${MAY_READ}`,
};

const EXISTING_INGREDIENTS: Statement = {
  name: 'formulas.readable-ingredients',
  text: `SELECT id FROM ingredients WHERE id = ANY ($1::uuid[]) AND ${readable.ingredient('ingredients')}`,
};

const EXISTING_PROJECT: Statement = {
  name: 'formulas.readable-project',
  text: `SELECT id FROM projects WHERE id = $1 AND ${readable.project('projects')}`,
};

/**
 * All formulas, their number kept where all of them may be read. Ids first, so that a deep page reads only
 * its own rows; the rest is joined afterwards.
 */
function listStatement(listing: FormulaListing, isCounted: boolean): Statement {
  const order = orderOf(listing);
  const page = { where: `WHERE ${MAY_READ}`, limit: '$1::bigint', offset: '$2::bigint' };
  const isDated = !isCounted && listing.sortBy === 'updatedAt' && offsetOf(listing) > DEEP_OFFSET;
  const ids = isDated
    ? idsOfDatedPage({ ...page, direction: directionOf(listing) })
    : idsOfPage({ ...page, from: 'formulas', order });
  const total = isCounted ? `SELECT count(*) FROM formulas ${page.where}` : keptCount('formulas');
  const kind = isCounted ? 'counted.' : isDated ? 'deep.' : '';
  return {
    name: `formulas.list.${kind}${listing.sortBy}.${listing.sortOrder}`,
    mayLag: true,
    text: countedPage(listed(ids, order), total),
  };
}

/** What stands beside the words of a formula, so that those found by them are sorted where they are found. */
const BESIDE_WORDS: readonly FormulaSort[] = ['updatedAt', 'createdAt'];

/**
 * The formulas that are found, once for their count and their page.
 * @param areAllRead whether all formulas may be read
 */
function searchStatement(search: FormulaSearch, listing: FormulaListing, areAllRead: boolean): Statement {
  const { form, condition, ofWords, values } = search;
  const order = orderOf(listing);
  const key = FORMULAS.column(listing.sortBy);
  const isByWords = ofWords !== undefined && areAllRead && BESIDE_WORDS.includes(listing.sortBy);
  const found = isByWords
    ? `SELECT formula_id AS id, ${key} FROM formula_words WHERE ${ofWords}`
    : `SELECT id, ${key} FROM formulas WHERE ${condition} AND ${MAY_READ}`;
  const ids = pageOf('id', order, values.length + 1);
  return {
    name:
      form && `formulas.search.${isByWords ? 'words.' : ''}${listing.sortBy}.${listing.sortOrder}.${form}`,
    group: FORMULA_SEARCHES,
    mayLag: true,
    text: `WITH found AS MATERIALIZED (${found})
           ${jsonPage(listed(ids, order), 'SELECT count(*) FROM found')}`,
  };
}

/**
 * A join the planner may turn round would choose the ids again for each formula, where it takes the table
 * for empty: statistics of one that was emptied, before an import.
 */
const listed = (ids: string, order: Order): string => `
  SELECT ${FORMULAS.shown(LISTED_COLUMNS, 'f')}, ${projectOf('f')}
  FROM (${ids}) chosen CROSS JOIN LATERAL (SELECT * FROM formulas WHERE id = chosen.id LIMIT 1) f
  ${orderBy(order.map(([column, direction]) => [`f.${column}`, direction]))}`;

const directionOf = ({ sortOrder }: FormulaListing) => (sortOrder === 'asc' ? 'ASC' : 'DESC');

function orderOf(listing: FormulaListing): Order {
  const direction = directionOf(listing);
  return [
    [FORMULAS.column(listing.sortBy), direction],
    ['id', direction],
  ];
}

@Injectable()
export class FormulasRepository {
  constructor(private readonly database: Database) {}

  /** Whether the caller has a transaction, in which nothing can be asked behind a refused write. */
  get isInTransaction(): boolean {
    return this.database.isInTransaction;
  }

  list(access: ReadAccess, listing: FormulaListing): Promise<JsonPage<ListedFormulaDto>> {
    return this.slice(access, listStatement(listing, access.restricts('formula')), [], listing);
  }

  /** Formulas whose name or description contains `text`, regardless of case. */
  listContaining(
    access: ReadAccess,
    text: string,
    listing: FormulaListing,
  ): Promise<JsonPage<ListedFormulaDto>> {
    return this.search(access, searchFor([], [text]), listing);
  }

  /** Formulas in which every word is found, typing errors forgiven. */
  async listSimilar(access: ReadAccess, { fuzzy, literal }: SearchWords, listing: FormulaListing) {
    const known = fuzzy.length > 0 ? await this.knownWords(access, fuzzy) : [];
    return this.search(access, searchFor(known, literal), listing);
  }

  /** For each word those of the formulas that may be read that are similar to it. */
  private async knownWords(access: ReadAccess, words: readonly string[]): Promise<string[][]> {
    const known = access.restricts('formula') ? READABLE_KNOWN_WORDS : KNOWN_WORDS;
    const found = await this.database.query<{ known: string[] }>(...access.reading(known, [words]));
    return found.map(({ known }) => known);
  }

  private search(access: ReadAccess, search: FormulaSearch, listing: FormulaListing) {
    const statement = searchStatement(search, listing, !access.restricts('formula'));
    return this.slice(access, statement, search.values, listing);
  }

  private async slice(
    access: ReadAccess,
    statement: Statement,
    values: readonly unknown[],
    listing: FormulaListing,
  ) {
    const all = [...values, listing.limit, offsetOf(listing)];
    const [found] = await this.database.query<{ data: string; total: number }>(
      ...access.reading(statement, all),
    );
    return new JsonPage<ListedFormulaDto>(new JsonText(found!.data), found!.total);
  }

  /** The formula with its latest version; nothing when there is none of this id. */
  read(access: ReadAccess, id: string): Promise<JsonText<FormulaDto> | undefined> {
    return this.document<FormulaDto>(access, READ_FORMULA, [id]);
  }

  /** The user who created the formula; nothing when there is no such formula. */
  async findOwner(access: ReadAccess, id: string): Promise<string | undefined> {
    const formula = await this.database.findById<{ id: string; createdBy: string }>(
      ...access.readingById(OWNER, id),
    );
    return formula?.createdBy;
  }

  /**
   * Formula, version 1, phases and lines, all or nothing.
   * @throws ConstraintViolation `fk_formulas_project` or `fk_formula_ingredients_ingredient`
   */
  async create(
    access: ReadAccess,
    createdBy: string,
    formula: RowValues<FormulaEntity>,
    phases: readonly PhaseDto[],
  ): Promise<JsonText<FormulaDto>> {
    const created = await this.document<FormulaDto>(access, CREATE_FORMULA, [
      createdBy,
      ...composition(phases),
      ...FORMULAS.values(SENT_OF_FORMULA, formula),
    ]);
    return created!;
  }

  /**
   * The next version with phases and lines, all or nothing; nothing when there is no such formula.
   * @throws ConstraintViolation `fk_formula_ingredients_ingredient`
   */
  revise(
    access: ReadAccess,
    id: string,
    userId: string,
    phases: readonly PhaseDto[],
  ): Promise<JsonText<FormulaDto> | undefined> {
    return this.document<FormulaDto>(access, REVISE_FORMULA, [userId, ...composition(phases), id]);
  }

  /** Changes the fields that are there; nothing when there is no such formula. */
  updateMetadata(
    access: ReadAccess,
    id: string,
    changes: RowValues<FormulaEntity>,
  ): Promise<JsonText<FormulaMetadataDto> | undefined> {
    if (CHANGEABLE.every((property) => changes[property] === undefined)) {
      return this.document<FormulaMetadataDto>(access, READ_METADATA, [id]);
    }
    return this.document<FormulaMetadataDto>(access, UPDATE_METADATA, [
      id,
      ...CHANGEABLE.flatMap((property) => [
        changes[property] !== undefined,
        FORMULAS.parameter(property, changes[property]),
      ]),
    ]);
  }

  /**
   * With all versions, phases and lines (the foreign keys see to it). False when there is no such formula.
   */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.database.orm(
      (manager) => manager.delete(FormulaEntity, { id }),
      'formulas/written',
    );
    return affected === 1;
  }

  /** Which of these ingredients exist and may be read. */
  async existingIngredients(access: ReadAccess, ids: string[]): Promise<Set<string>> {
    if (access.restricts('ingredient')) {
      const found = await this.database.query<{ id: string }>(...access.reading(EXISTING_INGREDIENTS, [ids]));
      return new Set(found.map(({ id }) => id));
    }
    const found = await this.database.orm((manager) =>
      manager.find(IngredientEntity, { select: { id: true }, where: { id: In(ids) } }),
    );
    return new Set(found.map(({ id }) => id));
  }

  /** Whether there is a project of this id that may be read. */
  async projectExists(access: ReadAccess, id: string): Promise<boolean> {
    if (access.restricts('project')) {
      return (await this.database.query(...access.reading(EXISTING_PROJECT, [id]))).length > 0;
    }
    return this.database.orm((manager) => manager.existsBy(ProjectEntity, { id }));
  }

  private async document<T>(
    access: ReadAccess,
    statement: Statement,
    values: unknown[],
  ): Promise<JsonText<T> | undefined> {
    const [row] = await this.database.query<{ json: string }>(...access.reading(statement, values));
    return row && new JsonText<T>(row.json);
  }
}

/** Phases and lines as the arrays that the writing statements unnest. */
function composition(phases: readonly PhaseDto[]): unknown[] {
  const lines = phases.flatMap(({ ingredients }) => ingredients);
  return [
    ...PHASES.valueArrays(SENT_OF_PHASE, phases),
    phases.flatMap(({ ingredients }, index) => ingredients.map(() => index + 1)),
    ...LINES.valueArrays(SENT_OF_LINE, lines),
  ];
}
