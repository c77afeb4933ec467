import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { entityTag, type Slice } from '../../platform/http/envelope';
import { text } from '../../platform/texts/text';
import { distinct } from '../../platform/common/collections';
import type { FormulaDto, FormulaLineDto } from '../formula.dto';
import { BulkWrites } from '../bulk-writes.service';
import { type CatalogueIngredient, FormulasRepository } from '../formulas.repository';
import { FormulasService } from '../formulas.service';
import { IngredientsService } from '../../ingredients/ingredients.service';
import { SubstancesService } from '../substances/substances.service';
import {
  assertRange,
  type ExpandedField,
  expandedFields,
  type ExpandedFormulaDto,
  type ExpandQuery,
  type FormulaFilterQuery,
  type IngredientFilterQuery,
  type MovedFormulasDto,
  type MoveFormulasDto,
  type UsageQuery,
  type UsingFormulaDto,
} from './lists.dto';
import { formulaCondition, ingredientCondition } from './list-conditions';

/** The contract's lists with more filters. */
@Injectable()
export class ListsService {
  constructor(
    private readonly formulas: FormulasService,
    private readonly bulk: BulkWrites,
    private readonly ingredients: IngredientsService,
    private readonly repository: FormulasRepository,
    private readonly substances: SubstancesService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** @throws InvalidInputError for a share of no ingredient, and for a range whose bounds are reversed */
  async listFormulas(user: CurrentUser, query: FormulaFilterQuery) {
    assertIngredientOfShare(query);
    assertRange(query, 'minShare', 'maxShare');
    const filter = await this.rowFilters.of(user);
    const rawMaterials =
      query.substance === undefined
        ? undefined
        : await this.substances.rawMaterialsWith(filter, query.substance);
    return this.formulas.list(filter, query, formulaCondition(filter, query, rawMaterials));
  }

  /** @throws InvalidInputError for a range whose bounds are reversed */
  async listIngredients(user: CurrentUser, query: IngredientFilterQuery & { limit: number }) {
    assertRange(query, 'minPrice', 'maxPrice');
    const filter = await this.rowFilters.of(user);
    const { sortBy, sortOrder } = query;
    return this.ingredients.list(filter, query, {
      condition: ingredientCondition(filter, query),
      order: sortBy && { sortBy, sortOrder },
    });
  }

  /**
   * Formulas that the user may read and that contain an ingredient, by name.
   * @throws NotFoundError where there is no such ingredient that the user may read
   */
  async listUsage(
    user: CurrentUser,
    ingredientId: string,
    { versions, page, limit }: UsageQuery,
  ): Promise<Slice<UsingFormulaDto>> {
    const filter = await this.rowFilters.of(user);
    const { id } = await this.ingredients.get(filter, ingredientId);
    return this.repository.listUsage(filter, id, { page, limit, isCurrentOnly: versions === 'current' });
  }

  /**
   * Puts formulas into a project, or into none: all of them, or none of them.
   * @throws InvalidInputError, ForbiddenError
   */
  async moveFormulas(user: CurrentUser, { ids, projectId }: MoveFormulasDto): Promise<MovedFormulasDto> {
    if (projectId === undefined) {
      throw InvalidInputError.of([{ field: 'projectId', message: text('list.project-or-null') }]);
    }
    const moved = new Set(await this.bulk.move(user, ids, projectId));
    const sent = new Set(ids.map((id) => id.toLowerCase()));
    return {
      projectId: projectId && projectId.toLowerCase(),
      moved: [...sent].filter((id) => moved.has(id)),
    };
  }

  /**
   * A formula as the contract shows it, with fields of the catalogue in each line's ingredient.
   * @returns what is shown, and the contract's tag of the formula
   * @throws NotFoundError
   */
  async expandedFormula(user: CurrentUser, id: string, { expand }: ExpandQuery) {
    const filter = await this.rowFilters.of(user);
    const found = await this.formulas.get(filter, id);
    const tag = entityTag(found);
    if (expand === undefined) return { formula: found, tag };
    const formula = found.parse();
    const entries = await this.repository.findIngredients(filter, ingredientIdsOf(formula));
    return { formula: expandFormula(formula, expandedFields(expand), entries), tag };
  }
}

function assertIngredientOfShare(query: FormulaFilterQuery): void {
  if (query.ingredientId !== undefined) return;
  const faults = (['minShare', 'maxShare'] as const)
    .filter((field) => query[field] !== undefined)
    .map((field) => ({ field, message: text('list.share-without-ingredient') }));
  if (faults.length > 0) throw InvalidInputError.of(faults);
}

const ingredientIdsOf = ({ versions }: FormulaDto): string[] => {
  const lines = versions.flatMap(({ phases }) => phases.flatMap(({ ingredients }) => ingredients));
  return distinct(lines.map(({ ingredientId }) => ingredientId));
};

/** Returns the formula with fields of the catalogue in each line's ingredient; null if the reader may not see it. */
function expandFormula(
  formula: FormulaDto,
  fields: readonly ExpandedField[],
  entries: ReadonlyMap<string, CatalogueIngredient>,
): ExpandedFormulaDto {
  const expandLine = (line: FormulaLineDto) => {
    const entry = entries.get(line.ingredientId);
    const added = Object.fromEntries(fields.map((field) => [field, entry?.[field] ?? null]));
    return { ...line, ingredient: { ...line.ingredient, ...added } };
  };
  return {
    ...formula,
    versions: formula.versions.map((version) => ({
      ...version,
      phases: version.phases.map((phase) => ({ ...phase, ingredients: phase.ingredients.map(expandLine) })),
    })),
  };
}
