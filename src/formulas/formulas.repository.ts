import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { JsonPage, JsonText } from '../common/json-text';
import { offsetOf } from '../common/pagination';
import { containing } from '../common/search-pattern';
import { Database, type Statement } from '../database/database';
import type { RowValues } from '../database/json-repository';
import type { ReadAccess } from '../database/read-access';
import { readable } from '../database/readable';
import { IngredientEntity } from '../ingredients/ingredient.entity';
import { ProjectEntity } from '../projects/project.entity';
import { CommonTexts, type CommonTextWay } from './common-texts';
import {
  type FormulaDto,
  type FormulaListing,
  type FormulaMetadataDto,
  type ListedFormulaDto,
  type PhaseDto,
  type RevisionDto,
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
  LOCK_FORMULA,
  READ_FORMULA,
  READ_METADATA,
  REVISE_FORMULA,
  UPDATE_METADATA,
} from './formula.sql';
import { commonTextStatement, listStatement, searchStatement } from './formula-list.sql';
import { type FormulaSearch, KNOWN_WORDS, READABLE_KNOWN_WORDS, searchFor } from './formula-search.sql';
import type { SearchWords } from './search-words';

/** Violated when a composition or formula refers to what does not exist. */
export const INGREDIENT_REFERENCE = 'fk_formula_ingredients_ingredient';
export const PROJECT_REFERENCE = 'fk_formulas_project';

const OWNER: Statement = {
  name: 'formulas.owner',
  text: `SELECT ${FORMULAS.shown(['id', 'createdBy'])} FROM formulas
         WHERE id = ANY ($1::uuid[]) AND ${readable.formula('formulas')}`,
};

const EXISTING_INGREDIENTS: Statement = {
  name: 'formulas.readable-ingredients',
  text: `SELECT id FROM ingredients WHERE id = ANY ($1::uuid[]) AND ${readable.ingredient('ingredients')}`,
};

const EXISTING_PROJECT: Statement = {
  name: 'formulas.readable-project',
  text: `SELECT id FROM projects WHERE id = $1 AND ${readable.project('projects')}`,
};

/** A page of formulas, and how many there are of what it is a page of. */
interface Slice {
  readonly data: string;
  readonly total: number;
  /** How many formulas there are at all, where that is asked for. */
  readonly records?: number | null;
  /** Whether the page was found. */
  readonly isWhole?: boolean;
}

const answered = ({ data, total }: Slice) => new JsonPage<ListedFormulaDto>(new JsonText(data), total);

@Injectable()
export class FormulasRepository {
  private readonly commonTexts = new CommonTexts();

  constructor(private readonly database: Database) {}

  /** Whether the caller has a transaction, in which nothing can be asked behind a refused write. */
  get isInTransaction(): boolean {
    return this.database.isInTransaction;
  }

  async list(access: ReadAccess, listing: FormulaListing): Promise<JsonPage<ListedFormulaDto>> {
    return answered(
      await this.slice(access, listStatement(listing, access.restricts('formula')), [], listing),
    );
  }

  /** Formulas whose name or description contains `text`, regardless of case. */
  async listContaining(
    access: ReadAccess,
    text: string,
    listing: FormulaListing,
  ): Promise<JsonPage<ListedFormulaDto>> {
    const way = access.restricts('formula') ? undefined : this.commonTexts.wayOf(text, listing);
    const common = way && (await this.commonPage(access, way, text, listing));
    return common ?? this.search(access, searchFor([], [text]), listing);
  }

  /** Nothing where the page is not among the first formulas. */
  private async commonPage(access: ReadAccess, way: CommonTextWay, text: string, listing: FormulaListing) {
    const found = await this.slice(access, commonTextStatement(way, listing), [containing(text)], listing);
    this.commonTexts.found(text, found.total, found.records!);
    if (found.isWhole) return answered(found);
    this.commonTexts.notAmongFirst(text, listing);
    return undefined;
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

  private async search(access: ReadAccess, search: FormulaSearch, listing: FormulaListing) {
    const statement = searchStatement(search, listing, !access.restricts('formula'));
    const found = await this.slice(access, statement, search.values, listing);
    if (found.records !== undefined) this.commonTexts.found(search.text!, found.total, found.records);
    return answered(found);
  }

  private async slice(
    access: ReadAccess,
    statement: Statement,
    values: readonly unknown[],
    listing: FormulaListing,
  ): Promise<Slice> {
    const all = [...values, listing.limit, offsetOf(listing)];
    const [found] = await this.database.query<Slice>(...access.reading(statement, all));
    return found!;
  }

  /** The formula with its latest version; nothing when there is none of this id. */
  read(access: ReadAccess, id: string): Promise<JsonText<FormulaDto> | undefined> {
    return this.document<FormulaDto>(access, READ_FORMULA, [id]);
  }

  /** The same as it stays until the transaction ends, but for what that changes itself. */
  async readLocked(access: ReadAccess, id: string): Promise<JsonText<FormulaDto> | undefined> {
    await this.database.query(LOCK_FORMULA, [id]);
    return this.read(access, id);
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
    { phases, description = null }: RevisionDto,
  ): Promise<JsonText<FormulaDto> | undefined> {
    const values = [userId, ...composition(phases), id, description];
    return this.document<FormulaDto>(access, REVISE_FORMULA, values);
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
