import type { INestApplicationContext } from '@nestjs/common';
import { readImportFile } from '../../src/files/read-import-file';
import { LIMIT_FILE, limitsOf } from '../../src/regulations/editions/limit-file';
import { RegulationsService } from '../../src/regulations/editions/regulations.service';

/** Made up: no limit of any law. */
export const HOUSE_LIMITS = [
  'region,annex,entry,inciNames,casNumbers,kind,productTypes,limitPercent,sumGroup,validFrom,validUntil,source',
  'House,A,1,EXAMPLIN (1); AQUA,,maximum,soap,1,,,,house',
  'House,A,1,EXAMPLIN,,maximum,shampoo,2,,,,house',
  'House,A,2,SUMMED ONE,56-81-5,maximum,,1,pair,,,house',
  'House,A,3,SUMMED TWO,,maximum,,1,pair,,,house',
  'House,B,4,LATER,,prohibited,,,,2027-01-01,,house',
  'House,B,5,LATER,,prohibited,,,,,2025-12-31,house',
  'House,B,,UNNUMBERED ONE,,prohibited,,,,,,house',
  'House,B,,UNNUMBERED TWO,,prohibited,,,,,,house',
  'Other,A,1,EXAMPLIN,,maximum,,3,,,,house',
].join('\n');

/** Imports a table of limits as an edition of this name. */
export async function importLimits(app: INestApplicationContext, name: string, csv = HOUSE_LIMITS) {
  const file = await limitsOf(await readImportFile(Buffer.from(csv), LIMIT_FILE));
  return app.get(RegulationsService, { strict: false }).importEdition(name, file);
}
