import Big from 'big.js';
import { type Composition, linesOf } from '../formulas/composition/composition';
import type { DocumentLanguage } from '../documents/document';
import type { Share } from '../formulas/composition/expansion';
import { mapping, type Steps } from '../platform/common/steps';
import { ALLERGEN_THRESHOLDS } from './allergens/allergen-thresholds';
import type { Declaration, DeclarationRules, Origin, UndeclaredSubstance } from './declaration-model';
import { isIncomplete } from './declaration-problems';
import type { DeclarationDto } from './declaration.dto';
import { DECLARATION_WORDS } from './declaration.words';
import { headingOf, labelText } from './label-text';

/** A declaration as it is answered. */
export function* shownDeclaration(
  composition: Composition,
  declaration: Declaration,
  { region, productType }: DeclarationRules,
  language: DocumentLanguage,
): Steps<DeclarationDto> {
  const { formulaId, formulaName, versionNumber } = composition;
  const words = DECLARATION_WORDS[language];
  return {
    formulaId,
    formulaName,
    versionNumber,
    region,
    productType,
    heading: headingOf(region),
    text: labelText(declaration, region),
    isComplete: !declaration.problems.some(isIncomplete),
    total: linesOf(composition)
      .reduce((sum, { percentage }) => sum.plus(percentage), new Big(0))
      .toNumber(),
    basis: {
      order: 'middle',
      threshold: 'maximum',
      allergensAbove: region === 'eu' ? ALLERGEN_THRESHOLDS[productType] : null,
    },
    entries: yield* mapping(declaration.entries.entries(), ([index, entry]) => ({
      position: index + 1,
      name: entry.name,
      group: entry.group,
      kind: entry.kind,
      ...portion(entry),
    })),
    undeclared: yield* mapping(declaration.undeclared, (substance) => ({
      ...portion(substance),
      reason: substance.reason,
    })),
    problems: yield* mapping(declaration.problems, ({ code, inciName, alternatives, share, origins }) => ({
      code,
      message: words.problems[code],
      alternatives: [...alternatives],
      inciName,
      ...percentages(share),
      lines: origins.map(shownOrigin),
    })),
    closing: words.notes.closing,
  };
}

const portion = ({ inciName, share, countedInFragrance, origins }: Omit<UndeclaredSubstance, 'reason'>) => ({
  inciName,
  ...percentages(share),
  countedInFragrance: countedInFragrance.middle.toNumber(),
  lines: origins.map(shownOrigin),
});

const percentages = ({ min, middle, max }: Share) => ({
  percentage: middle.toNumber(),
  minPercentage: min.toNumber(),
  maxPercentage: max.toNumber(),
});

const shownOrigin = ({ phase, line, share }: Origin) => ({
  ingredientId: line.ingredientId,
  ingredient: line.ingredient,
  phase,
  percentage: line.percentage,
  share: share.middle.toNumber(),
});
