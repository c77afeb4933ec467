import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../platform/access/row-filter';
import { distinct } from '../platform/common/collections';
import { type FieldFault, InvalidInputError } from '../platform/common/errors/service-error';
import { busyDatabase, violates } from '../platform/database/pg-errors';
import { TransactionManager } from '../platform/database/transaction-manager';
import { INGREDIENT_NOT_FOUND } from '../ingredients/ingredients.service';
import { ProjectsRepository } from '../projects/projects.repository';
import { PROJECT_NOT_FOUND } from '../projects/projects.service';
import type { PhaseDto } from './formula.dto';
import { FormulasRepository, INGREDIENT_REFERENCE, PROJECT_REFERENCE } from './formulas.repository';

/** Checks the ingredients and the project that formulas refer to. */
@Injectable()
export class FormulaReferences {
  constructor(
    private readonly formulas: FormulasRepository,
    private readonly projects: ProjectsRepository,
    private readonly transactions: TransactionManager,
  ) {}

  /**
   * Reports references that do not exist or that the user cannot read. Runs only if rows may be hidden, which foreign
   * keys ignore, or inside a transaction, which cannot read after a violation. Otherwise the foreign keys decide.
   * @throws InvalidInputError
   */
  async assertVisible(
    filter: RowFilter,
    phases: readonly PhaseDto[],
    projectId: string | null,
  ): Promise<void> {
    const isHidden = filter.restricts('ingredient') || (projectId !== null && filter.restricts('project'));
    if (!isHidden && !this.transactions.isActive) return;
    const faults = await this.unknown(filter, phases, projectId);
    if (faults.length > 0) throw InvalidInputError.of(faults);
  }

  /** Returns the error. After a foreign key violation, returns one that names the missing references. */
  async explained(
    error: unknown,
    filter: RowFilter,
    phases: readonly PhaseDto[],
    projectId: string | null,
  ): Promise<unknown> {
    if (!violates(error, INGREDIENT_REFERENCE) && !violates(error, PROJECT_REFERENCE)) return error;
    // A reference was deleted after the check. The client repeats the request and gets the name.
    if (this.transactions.isActive) return busyDatabase(error);
    const faults = await this.unknown(filter, phases, projectId);
    return faults.length > 0 ? InvalidInputError.of(faults) : error;
  }

  private async unknown(
    filter: RowFilter,
    phases: readonly PhaseDto[],
    projectId: string | null,
  ): Promise<FieldFault[]> {
    const faults: FieldFault[] = [];
    if (projectId && !(await this.projects.findById(filter, projectId))) {
      faults.push({ field: 'projectId', message: PROJECT_NOT_FOUND });
    }
    const references = phases.flatMap(({ ingredients }, phase) =>
      ingredients.map(({ ingredientId }, line) => ({
        id: ingredientId.toLowerCase(),
        field: `phases.${phase}.ingredients.${line}.ingredientId`,
      })),
    );
    const ids = distinct(references.map(({ id }) => id));
    const existing = await this.formulas.findIngredients(filter, ids);
    const unknown = references.filter(({ id }) => !existing.has(id));
    return [...faults, ...unknown.map(({ field }) => ({ field, message: INGREDIENT_NOT_FOUND }))];
  }
}
