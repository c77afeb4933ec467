import { IntegerField, type CustomFields, ownText, TextField } from 'formula-development-service';

// #region fields
export class DossierFields {
  @TextField({ max: 20, trim: true, presence: 'optional', example: 'D-2030-17' })
  code!: string;

  @IntegerField({ min: 1, max: 120, presence: 'optional', description: 'Months', example: 30 })
  shelfLife!: number;
}

/** A formula's dossier with the authorities. */
export const DOSSIER: CustomFields<DossierFields> = {
  of: 'formula',
  table: 'ext_dossiers',
  fields: DossierFields,
  violations: { uq_ext_dossiers_code: ownText('dossier.code-taken', 'Another formula has this code') },
};
// #endregion
