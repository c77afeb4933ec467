import {
  type AskedWrite,
  type CreateFormulaDto,
  type UpdateFormulaDto,
  type WriteValidator,
} from 'formula-development-service';

// #region rule
/** A formula's name says what it is, and not that it is a copy. */
export const namingRule: WriteValidator<CreateFormulaDto | UpdateFormulaDto> = {
  writes: ['formula.created', 'formula.updated'],
  faults: ({ input: { name } }: AskedWrite<CreateFormulaDto | UpdateFormulaDto>) =>
    name !== undefined && /^copy of /i.test(name)
      ? [{ field: 'name', message: 'must not begin with "Copy of"' }]
      : [],
};
// #endregion
