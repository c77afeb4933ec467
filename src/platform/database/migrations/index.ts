import type { MigrationInterface } from 'typeorm';
import { Baseline1767225600002 } from './1767225600002-baseline';
import { NameForms1767225600003 } from './1767225600003-name-forms';
import { LimitEditions1767225600004 } from './1767225600004-limit-editions';
import { PlantNames1767225600005 } from './1767225600005-plant-names';
import { PercentSigns1767225600006 } from './1767225600006-percent-signs';
import { SubstanceKeys1767225600007 } from './1767225600007-substance-keys';
import { FormulaProfiles1767225600008 } from './1767225600008-formula-profiles';
import { RawMaterialCards1767225600009 } from './1767225600009-raw-material-cards';

/** The service's migrations, in the order in which they run. Add new ones at the end. */
export const coreMigrations: (new () => MigrationInterface)[] = [
  Baseline1767225600002,
  NameForms1767225600003,
  LimitEditions1767225600004,
  PlantNames1767225600005,
  PercentSigns1767225600006,
  SubstanceKeys1767225600007,
  FormulaProfiles1767225600008,
  RawMaterialCards1767225600009,
];
