import type { Profile } from './profile/profile.fields';
import { profileOf } from './profile/profiles.repository';
import { Injectable } from '@nestjs/common';
import type { BoundStatement, Readable, RowFilter } from '../platform/access/row-filter';
import { JsonPage, JsonText } from '../platform/common/json-text';
import { offsetOf, type PageQuery } from '../platform/common/pagination';
import type { Slice } from '../platform/http/envelope';
import { DatabaseService } from '../platform/database/database.service';
import {
  type FormulaSearch,
  knownWordsStatement,
  listFormulas,
  listUsage,
  listVersions,
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
import { FORMULA_COLUMNS, type FormulaValues } from './formula.fields';
import type { UsingFormulaDto } from './lists/lists.dto';
import type { ListedVersionDto } from './versions/version.dto';
import {
  createFormula,
  describeVersion,
  readFormula,
  readMetadata,
  readVersion,
  reviseFormula,
  UPDATABLE_COLUMNS,
  updateMetadata,
} from './formula.sql';

/** Foreign keys that are violated if a composition or formula refers to a row that does not exist. */
export const INGREDIENT_REFERENCE = 'fk_formula_ingredients_ingredient';
export const PROJECT_REFERENCE = 'fk_formulas_project';

export interface FormulaNames {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** Null if the user cannot read the project. */
  readonly project: string | null;
  /** Description of the current version. */
  readonly reason: string | null;
  readonly profile: Profile | null;
}

/** Fields of an ingredient that lines of formulas show. */
export type CatalogueIngredient = Omit<IngredientDto, 'createdAt' | 'description'> & {
  /** Kilograms per litre, as the card says. */
  readonly density: number | null;
};

@Injectable()
export class FormulasRepository {
  constructor(private readonly database: DatabaseService) {}

  list(filter: RowFilter, listing: FormulaListing): Promise<JsonPage<ListedFormulaDto>> {
    const name = `formulas.list.${listing.sortBy}.${listing.sortOrder}`;
    const isFiltered = filter.restricts('formula');
    const values = [listing.limit, offsetOf(listing)];
    return this.page(
      filter.statement(name, values, (readable) => listFormulas(listing, isFiltered, readable)),
    );
  }

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

  /** Returns one page of the formulas that contain an ingredient. */
  async listUsage(
    filter: RowFilter,
    ingredientId: string,
    { isCurrentOnly, ...query }: PageQuery & { isCurrentOnly: boolean },
  ): Promise<Slice<UsingFormulaDto>> {
    const values = [ingredientId, query.limit, offsetOf(query), isCurrentOnly];
    const [slice] = await this.database.query<Slice<UsingFormulaDto>>(
      ...filter.statement('usage', values, listUsage),
    );
    return slice!;
  }

  /** Returns one page of a formula's versions, the newest first; undefined if there is no such formula. */
  async listVersions(
    filter: RowFilter,
    formulaId: string,
    query: PageQuery,
  ): Promise<Slice<ListedVersionDto> | undefined> {
    const values = [formulaId, query.limit, offsetOf(query)];
    const [slice] = await this.database.query<Slice<ListedVersionDto>>(
      ...filter.statement('versions', values, listVersions),
    );
    return slice;
  }

  /** Returns the formula with its latest version, or undefined if there is no such formula. */
  read(filter: RowFilter, id: string): Promise<JsonText<FormulaDto> | undefined> {
    return this.document(filter.statement('formulas.read', [id], readFormula));
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
    const [row] = await this.database.query<{ json: string | null }>(
      ...filter.statement('formulas.read-version', [id, versionNumber], readVersion),
    );
    return row && (row.json === null ? null : new JsonText(row.json));
  }

  /** Returns the user who created the formula, or undefined if there is no such formula. */
  async findOwner(filter: RowFilter, id: string): Promise<string | undefined> {
    const [statement, [, ...values]] = filter.statement('formulas.owners', [id], READ_OWNERS);
    return (await this.database.findById<FormulaOwner>(statement, id, values))?.createdBy;
  }

  /** Returns the creators of these formulas, by formula id, without formulas that the user cannot read. */
  async findOwners(filter: RowFilter, ids: readonly string[]): Promise<Map<string, string>> {
    const found = await this.database.query<FormulaOwner>(
      ...filter.statement('formulas.owners', [ids], READ_OWNERS),
    );
    return new Map(found.map(({ id, createdBy }) => [id, createdBy]));
  }

  /**
   * Creates formula, version 1, phases and lines, all or nothing.
   * @throws ConstraintViolation `fk_formulas_project` or `fk_formula_ingredients_ingredient`
   */
  async create(
    filter: RowFilter,
    createdBy: string,
    formula: FormulaValues,
    phases: readonly PhaseDto[],
  ): Promise<JsonText<FormulaDto>> {
    const own = FORMULA_COLUMNS.map(({ field }) => formula[field]);
    const values = [createdBy, ...compositionValues(phases), null, ...own];
    const created = await this.document<FormulaDto>(
      filter.statement('formulas.create', values, createFormula),
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
    return this.document(filter.statement('formulas.revise', values, reviseFormula));
  }

  /** Changes the given fields. Returns undefined if there is no such formula. */
  updateMetadata(
    filter: RowFilter,
    id: string,
    changes: Partial<FormulaValues>,
  ): Promise<JsonText<FormulaMetadataDto> | undefined> {
    const own = UPDATABLE_COLUMNS.map(({ field }) => changes[field]);
    if (own.every((value) => value === undefined)) {
      return this.document(filter.statement('formulas.read-metadata', [id], readMetadata));
    }
    const values = [id, ...own.flatMap((value) => [value !== undefined, value ?? null])];
    return this.document(filter.statement('formulas.update-metadata', values, updateMetadata));
  }

  /** Returns the version with its new description, or undefined if there is no such version. */
  describeVersion(
    id: string,
    versionNumber: number,
    description: string | null,
  ): Promise<JsonText<FormulaVersionDto> | undefined> {
    const statement = { name: 'formulas.describe-version', text: describeVersion };
    return this.document([statement, [id, versionNumber, description]]);
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
    const found = await this.database.query<FormulaNames>(
      ...filter.statement(
        'formulas.names',
        [ids],
        (readable) => `
          SELECT f.id, f.name, f.description, p.name AS project, v.description AS reason,
            ${profileOf(filter, readable)} AS profile
          FROM formulas f
          JOIN formula_versions v ON v.formula_id = f.id AND v.version_number = f.current_version
          LEFT JOIN projects p ON p.id = f.project_id AND ${readable('project', 'p')}
          WHERE f.id = ANY ($1::uuid[]) AND ${readable('formula', 'f')} ORDER BY f.name, f.id`,
      ),
    );
    return new Map(found.map((formula) => [formula.id, formula]));
  }

  /** Returns the entries of the catalogue with these ids, by id, without those that the user cannot read. */
  async findIngredients(
    filter: RowFilter,
    ids: readonly string[],
  ): Promise<Map<string, CatalogueIngredient>> {
    const found = await this.database.query<CatalogueIngredient>(
      ...filter.statement(
        'formulas.ingredients',
        [ids],
        (readable) => `
          SELECT i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName", i.supplier, i.unit,
            i.unit_price AS "unitPrice", i.function_category AS "functionCategory", c.density
          FROM ingredients i LEFT JOIN ingredient_cards c ON c.ingredient_id = i.id WHERE i.id = ANY ($1::uuid[]) AND ${readable('ingredient', 'i')}`,
      ),
    );
    return new Map(found.map((ingredient) => [ingredient.id, ingredient]));
  }

  private async document<T>(statement: BoundStatement): Promise<JsonText<T> | undefined> {
    const [row] = await this.database.query<{ json: string }>(...statement);
    return row && new JsonText<T>(row.json);
  }
}

interface FormulaOwner {
  readonly id: string;
  readonly createdBy: string;
}

/** The creators of formulas that the user can read. $1: the formulas. */
const READ_OWNERS = (readable: Readable): string => `
  SELECT f.id, f.created_by AS "createdBy" FROM formulas f
  WHERE f.id = ANY ($1::uuid[]) AND ${readable('formula', 'f')}`;

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
