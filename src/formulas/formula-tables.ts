import { requestedFields } from '../common/validation/field-metadata';
import { EntityTable } from '../database/entity-table';
import { FormulaIngredientEntity } from './formula-ingredient.entity';
import { FormulaPhaseEntity } from './formula-phase.entity';
import { FormulaVersionEntity } from './formula-version.entity';
import { FormulaEntity } from './formula.entity';
import { FormulaFields, LineFields, PhaseFields } from './formula.fields';

export const FORMULAS = new EntityTable(FormulaEntity);
export const PHASES = new EntityTable(FormulaPhaseEntity);
export const LINES = new EntityTable(FormulaIngredientEntity);
export const VERSIONS = new EntityTable(FormulaVersionEntity);

const sent = (fields: new () => object) => requestedFields(fields).map(({ name }) => name);

/** What a client sends of a formula, of a phase and of a line. */
export const SENT_OF_FORMULA = sent(FormulaFields);
export const SENT_OF_PHASE = sent(PhaseFields);
export const SENT_OF_LINE = sent(LineFields);
/** What of it can be changed without a new version. */
export const CHANGEABLE = SENT_OF_FORMULA.filter((name) => name !== 'projectId') as (keyof FormulaEntity)[];
