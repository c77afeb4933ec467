import type { CompositionState, RawMaterialDto, ShownRowDto, ShownSubstanceDto } from './raw-material.dto';
import type { ExportedSubstance, RawMaterial } from './raw-materials.repository';
import type { Substance } from './substance';
import { isBlendName } from './substance-names';

export const shownRawMaterial = ({ ingredientId, inciName, substances }: RawMaterial): RawMaterialDto => ({
  ingredientId,
  inciName,
  state: stateOf(inciName, substances.length > 0),
  substances: substances.map(shownSubstance),
});

function stateOf(inciName: string, isGiven: boolean): CompositionState {
  if (isGiven) return 'given';
  return isBlendName(inciName) ? 'unknown' : 'own-name';
}

const isExact = ({ minPercentage, maxPercentage }: Substance) => minPercentage === maxPercentage;

function shownSubstance(substance: Substance): ShownSubstanceDto {
  const {
    inciName,
    chineseName,
    casNumber,
    ecNumber,
    minPercentage: min,
    maxPercentage: max,
    role,
  } = substance;
  const share = isExact(substance)
    ? { percentage: max, range: null }
    : { percentage: null, range: { min, max } };
  return { inciName, chineseName, casNumber, ecNumber, ...share, role };
}

/** With the keys in the order of the columns. */
export function shownRow(substance: ExportedSubstance): ShownRowDto {
  const { ingredientId, ingredient, supplier, inciName, chineseName, casNumber, ecNumber } = substance;
  const { minPercentage, maxPercentage, role } = substance;
  const share = isExact(substance)
    ? { percentage: maxPercentage, minPercentage: null, maxPercentage: null }
    : { percentage: null, minPercentage, maxPercentage };
  const names = { ingredientId, ingredient, supplier, inciName, chineseName, casNumber, ecNumber };
  return { ...names, ...share, role };
}
