import { AiAuditLogEntity } from './ai/call/audit/ai-audit-log.entity';
import { ColorFormulaEntity } from './color/color-formula.entity';
import { ReferenceColorEntity } from './color/library/reference-color.entity';
import { FormulaIngredientEntity } from './formulas/formula-ingredient.entity';
import { FormulaPhaseEntity } from './formulas/formula-phase.entity';
import { FormulaVersionEntity } from './formulas/formula-version.entity';
import { FormulaEntity } from './formulas/formula.entity';
import { IngredientEntity } from './ingredients/ingredient.entity';
import { ProjectEntity } from './projects/project.entity';
import { RuntimeSettingEntity } from './runtime-config/runtime-setting.entity';
import { UserEntity } from './users/user.entity';

/** All entities, for those who open a data source without the application: `ormconfig.ts` and the schema's tests. */
export const entities = [
  UserEntity,
  ProjectEntity,
  IngredientEntity,
  FormulaEntity,
  FormulaVersionEntity,
  FormulaPhaseEntity,
  FormulaIngredientEntity,
  ColorFormulaEntity,
  ReferenceColorEntity,
  RuntimeSettingEntity,
  AiAuditLogEntity,
];
