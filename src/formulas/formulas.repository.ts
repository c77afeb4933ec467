import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../platform/access/row-filter';
import { JsonPage, JsonText } from '../platform/common/json-text';
import { offsetOf } from '../platform/common/pagination';
import { DatabaseService, type Statement } from '../platform/database/database.service';
import {
  type BoundStatement,
  type FormulaSearch,
  knownWordsStatement,
  listFormulas,
  searchStatement,
} from './formula-list.sql';
import type { IngredientDto } from '../ingredients/ingredient.dto';
import type {
  FormulaDto,
  FormulaListing,
  FormulaMetadataDto,
  FormulaVersionDto,
  ListedFormulaDto,
  PhaseDto,
  RevisionDto,
} from './formula.dto';
import {
  createFormula,
  describeVersion,
  readFormula,
  readMetadata,
  readVersion,
  reviseFormula,
  updateMetadata,
} from './formula.sql';

/** Foreign keys that are violated if a composition or formula refers to a row that does not exist. */
export const INGREDIENT_REFERENCE = 'fk_formula_ingredients_ingredient';
export const PROJECT_REFERENCE = 'fk_formulas_project';

/** Columns of a formula's own row that a client sends. */
export interface FormulaValues {
  name: string;
  description: string | null;
  projectId: string | null;
}

interface FormulaNames {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** Null if the user cannot read the project. */
  readonly project: string | null;
}

/** Fields of an ingredient that lines of formulas show. */
export type CatalogueIngredient = Omit<IngredientDto, 'createdAt' | 'description'>;

@Injectable()
export class FormulasRepository {
  constructor(private readonly database: DatabaseService) {}

  list(filter: RowFilter, listing: FormulaListing): Promise<JsonPage<ListedFormulaDto>> {
    const isFiltered = filter.restricts('formula');
    const readable = filter.for('formula', 'f', 3);
    const readableProject = filter.for('project', 'p', 3 + readable.values.length);
    const statement = {
      name: filter.named(`formulas.list.${listing.sortBy}.${listing.sortOrder}`),
      text: listFormulas(listing, isFiltered, readable, readableProject),
    };
    const values = [listing.limit, offsetOf(listing), ...readable.values, ...readableProject.values];
    return this.page([statement, values]);
  }

  /** Lists the formulas that a search finds. */
  search(filter: RowFilter, search: FormulaSearch, listing: FormulaListing) {
    return this.page(searchStatement(filter, search, listing));
  }

  /** Returns, for each word, the similar words of readable formulas. */
  async similarWords(filter: RowFilter, words: readonly string[]): Promise<string[][]> {
    if (words.length === 0) return [];
    const found = await this.database.query<{ known: string[] }>(...knownWordsStatement(filter, words));
    return found.map(({ known }) => known);
  }

  private async page(statement: BoundStatement): Promise<JsonPage<ListedFormulaDto>> {
    const [found] = await this.database.query<{ data: string; total: number }>(...statement);
    return new JsonPage<ListedFormulaDto>(new JsonText(found!.data), found!.total);
  }

  /** Returns the formula with its latest version, or undefined if there is no such formula. */
  read(filter: RowFilter, id: string): Promise<JsonText<FormulaDto> | undefined> {
    const readable = filter.for('formula', 'f', 2);
    const readableProject = filter.for('project', 'p', 2 + readable.values.length);
    return this.document(
      {
        name: filter.named('formulas.read'),
        text: readFormula(readable, readableProject),
      },
      [id, ...readable.values, ...readableProject.values],
    );
  }

  /** Like `read`, but locks the row until the transaction ends, for a change or a deletion. */
  async readLocked(filter: RowFilter, id: string): Promise<JsonText<FormulaDto> | undefined> {
    await this.database.query(
      { name: 'formulas.lock', text: 'SELECT id FROM formulas WHERE id = $1 FOR UPDATE' },
      [id],
    );
    return this.read(filter, id);
  }

  /** Returns a version; undefined if there is no such formula, null if it has no version with this number. */
  async readVersion(
    filter: RowFilter,
    id: string,
    versionNumber: number,
  ): Promise<JsonText<FormulaVersionDto> | null | undefined> {
    const readable = filter.for('formula', 'f', 3);
    const [row] = await this.database.query<{ json: string | null }>(
      { name: filter.named('formulas.read-version'), text: readVersion(readable) },
      [id, versionNumber, ...readable.values],
    );
    return row && (row.json === null ? null : new JsonText(row.json));
  }

  /** Returns the user who created the formula, or undefined if there is no such formula. */
  async findOwner(filter: RowFilter, id: string): Promise<string | undefined> {
    const { statement, values } = readOwners(filter);
    return (await this.database.findById<FormulaOwner>(statement, id, values))?.createdBy;
  }

  /** Returns the creators of these formulas, by formula id, without formulas that the user cannot read. */
  async findOwners(filter: RowFilter, ids: readonly string[]): Promise<Map<string, string>> {
    const { statement, values } = readOwners(filter);
    const found = await this.database.query<FormulaOwner>(statement, [ids, ...values]);
    return new Map(found.map(({ id, createdBy }) => [id, createdBy]));
  }

  /**
   * Creates formula, version 1, phases and lines, all or nothing.
   * @throws ConstraintViolation `fk_formulas_project` or `fk_formula_ingredients_ingredient`
   */
  async create(
    filter: RowFilter,
    createdBy: string,
    { name, description, projectId }: FormulaValues,
    phases: readonly PhaseDto[],
  ): Promise<JsonText<FormulaDto>> {
    const values = [createdBy, ...compositionValues(phases), null, name, description, projectId];
    const readableProject = filter.for('project', 'p', values.length + 1);
    const created = await this.document<FormulaDto>(
      { name: filter.named('formulas.create'), text: createFormula(readableProject) },
      [...values, ...readableProject.values],
    );
    return created!;
  }

  /**
   * Adds the next version with phases and lines, all or nothing. Returns undefined if there is no such formula.
   * @throws ConstraintViolation `fk_formula_ingredients_ingredient`
   */
  revise(
    filter: RowFilter,
    id: string,
    userId: string,
    { phases, description = null }: RevisionDto,
  ): Promise<JsonText<FormulaDto> | undefined> {
    const values = [userId, ...compositionValues(phases), description, id];
    const readableProject = filter.for('project', 'p', values.length + 1);
    return this.document({ name: filter.named('formulas.revise'), text: reviseFormula(readableProject) }, [
      ...values,
      ...readableProject.values,
    ]);
  }

  /** Changes the given fields. Returns undefined if there is no such formula. */
  updateMetadata(
    filter: RowFilter,
    id: string,
    { name, description }: Partial<FormulaValues>,
  ): Promise<JsonText<FormulaMetadataDto> | undefined> {
    if (name === undefined && description === undefined) return this.readMetadata(filter, id);
    const values = [id, name ?? null, description !== undefined, description ?? null];
    const readableProject = filter.for('project', 'p', values.length + 1);
    return this.document(
      { name: filter.named('formulas.update-metadata'), text: updateMetadata(readableProject) },
      [...values, ...readableProject.values],
    );
  }

  /** Returns the version with its new description, or undefined if there is no such version. */
  describeVersion(
    id: string,
    versionNumber: number,
    description: string | null,
  ): Promise<JsonText<FormulaVersionDto> | undefined> {
    return this.document({ name: 'formulas.describe-version', text: describeVersion }, [
      id,
      versionNumber,
      description,
    ]);
  }

  private readMetadata(filter: RowFilter, id: string): Promise<JsonText<FormulaMetadataDto> | undefined> {
    const readable = filter.for('formula', 'f', 2);
    const readableProject = filter.for('project', 'p', 2 + readable.values.length);
    return this.document(
      { name: filter.named('formulas.read-metadata'), text: readMetadata(readable, readableProject) },
      [id, ...readable.values, ...readableProject.values],
    );
  }

  /** The foreign keys delete all versions, phases and lines as well. Returns false if there is no such formula. */
  async delete(id: string): Promise<boolean> {
    const deleted = await this.database.query(
      { name: 'formulas.delete', text: 'DELETE FROM formulas WHERE id = $1 RETURNING id' },
      [id],
    );
    return deleted.length > 0;
  }

  /** Returns these formulas with the names of their projects, by id, sorted by name, without unreadable ones. */
  async findNames(filter: RowFilter, ids: readonly string[]): Promise<Map<string, FormulaNames>> {
    const readable = filter.for('formula', 'f', 2);
    const project = filter.for('project', 'p', 2 + readable.values.length);
    const found = await this.database.query<FormulaNames>(
      {
        name: filter.named('formulas.names'),
        text: `SELECT f.id, f.name, f.description, p.name AS project FROM formulas f
               LEFT JOIN projects p ON p.id = f.project_id AND ${project.sql}
               WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql} ORDER BY f.name, f.id`,
      },
      [ids, ...readable.values, ...project.values],
    );
    return new Map(found.map((formula) => [formula.id, formula]));
  }

  /** Returns the entries of the catalogue with these ids, by id, without those that the user cannot read. */
  async findIngredients(
    filter: RowFilter,
    ids: readonly string[],
  ): Promise<Map<string, CatalogueIngredient>> {
    const readable = filter.for('ingredient', 'i', 2);
    const found = await this.database.query<CatalogueIngredient>(
      {
        name: filter.named('formulas.ingredients'),
        text: `SELECT i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName", i.supplier, i.unit,
                 i.unit_price AS "unitPrice", i.function_category AS "functionCategory"
               FROM ingredients i WHERE i.id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
    return new Map(found.map((ingredient) => [ingredient.id, ingredient]));
  }

  private async document<T>(statement: Statement, values: unknown[]): Promise<JsonText<T> | undefined> {
    const [row] = await this.database.query<{ json: string }>(statement, values);
    return row && new JsonText<T>(row.json);
  }
}

interface FormulaOwner {
  readonly id: string;
  readonly createdBy: string;
}

/** The creators of formulas that the user can read. $1: the formulas. */
function readOwners(filter: RowFilter) {
  const { sql: readable, values } = filter.for('formula', 'f', 2);
  const text = `SELECT f.id, f.created_by AS "createdBy" FROM formulas f
                WHERE f.id = ANY ($1::uuid[]) AND ${readable}`;
  return { statement: { name: filter.named('formulas.owners'), text }, values };
}

/** Returns $2 to $7 of a write: phases and lines, as one array per column. */
function compositionValues(phases: readonly PhaseDto[]): unknown[] {
  const lines = phases.flatMap(({ ingredients }) => ingredients);
  return [
    phases.map(({ name }) => name),
    phases.map(({ sortOrder }) => sortOrder),
    phases.flatMap(({ ingredients }, index) => ingredients.map(() => index + 1)),
    lines.map(({ ingredientId }) => ingredientId),
    lines.map(({ percentage }) => percentage),
    lines.map(({ processNotes }) => processNotes ?? null),
  ];
}
