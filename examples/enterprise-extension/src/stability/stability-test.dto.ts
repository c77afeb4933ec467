import { OmitType } from '@nestjs/swagger';
import {
  EnumField,
  IdField,
  IntegerField,
  ResponseType,
  ShownField,
  UuidField,
} from 'formula-development-service';

const CLIMATES = ['cold', 'room', 'warm', 'light'];
const RESULTS = ['passed', 'failed'];

// #region dto
/** One class has all fields; requests are Nest's mapped types of it, answers `ResponseType`. */
class StabilityTestFields {
  @IdField()
  id!: string;

  @UuidField()
  formulaId!: string;

  @ShownField({ type: String, nullable: true, description: 'Null where the caller may not read the formula' })
  formula!: string | null;

  @EnumField({ values: CLIMATES, enumName: 'Climate', example: 'warm' })
  climate!: string;

  @ShownField({ enum: ['running', 'overdue', ...RESULTS], enumName: 'StabilityState', example: 'running' })
  state!: string;

  @ShownField({ type: String, format: 'date', example: '2030-01-31' })
  dueOn!: string;
}

export class StabilityTestDto extends ResponseType(StabilityTestFields) {}

export class StartTestDto extends OmitType(StabilityTestFields, ['id', 'formula', 'state', 'dueOn']) {
  @IntegerField({ min: 0, max: 3650, example: 90 })
  days!: number;
}

export class ResultDto {
  @EnumField({ values: RESULTS, example: 'passed' })
  result!: string;
}
// #endregion
