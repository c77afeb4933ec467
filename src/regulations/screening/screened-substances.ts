import { groupBy, sumOf } from '../../platform/common/collections';
import type { CompositionLine } from '../../formulas/composition/composition';
import type {
  Contribution,
  ExpandedSubstance,
  Expansion,
  UnknownPart,
} from '../../formulas/composition/expansion';
import { isBlendName, saysNano, substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { ScreenedOrigin, Subject, UnexaminedPart } from './screening-model';

/** Keys of names that stand for mixtures: `Parfum`, `Fragrance`, `Aroma`. */
const MIXTURES = ['parfum', 'aroma'];

export const subjectOf = ({
  key,
  inciName,
  isNano,
  casNumbers,
  share,
  contributions,
}: ExpandedSubstance): Subject => ({
  key,
  inciName,
  isNano,
  casNumbers,
  amount: share.max,
  isRange: share.min.lt(share.max),
  origins: contributions.map(originOf),
});

/** Blends of unknown composition that a table may list under the name that they have. */
export function namedBlends({ unknown }: Expansion): Subject[] {
  const blends = unknown.filter(({ reason }) => reason === 'blend');
  return [...groupBy(blends, ({ inciName }) => `${substanceKey(inciName)}|${saysNano(inciName)}`)].map(
    ([, parts]) => ({
      key: substanceKey(parts[0]!.inciName),
      inciName: parts[0]!.inciName,
      isNano: saysNano(parts[0]!.inciName),
      casNumbers: [],
      amount: sumOf(parts.map(({ share }) => share.max)),
      isRange: parts.some(({ share }) => share.min.lt(share.max)),
      origins: parts.map(originOf),
    }),
  );
}

/** Parts of the formula whose substances are not known. */
export function unexaminedParts(expansion: Expansion, isListed: (substance: Subject) => boolean) {
  return [...unknownParts(expansion), ...mixtures(expansion, isListed)];
}

function unknownParts({ unknown }: Expansion): UnexaminedPart[] {
  const keyOf = ({ reason, inciName }: UnknownPart) => `${reason}|${substanceKey(inciName)}`;
  return [...groupBy(unknown, keyOf)].map(([, parts]) => ({
    inciName: parts[0]!.inciName,
    reason: parts[0]!.reason,
    amount: sumOf(parts.map(({ share }) => share.max)),
    origins: parts.map(originOf),
  }));
}

/**
 * Fragrances without a composition, and what remains of those with one. A fragrance raw material whose name the
 * table lists is that substance; its CAS numbers come from the compositions of others and do not count.
 */
function mixtures({ substances }: Expansion, isListed: (substance: Subject) => boolean): UnexaminedPart[] {
  const isMixture = ({ key, inciName }: ExpandedSubstance) => MIXTURES.includes(key) || isBlendName(inciName);
  const withNamedParts = new Set<CompositionLine>(
    substances
      .filter((substance) => !isMixture(substance))
      .flatMap(({ contributions }) => contributions.filter(({ isGiven }) => isGiven).map(({ line }) => line)),
  );
  return substances.flatMap((substance) => {
    const isKnown = !isMixture(substance) && isListed({ ...subjectOf(substance), casNumbers: [] });
    const reasonOf = ({ isGiven, line }: Contribution): UnexaminedPart['reason'] | undefined => {
      if (isMixture(substance)) return withNamedParts.has(line) ? 'fragrance-rest' : 'fragrance';
      const isFragrance = !isGiven && line.catalogue?.functionCategory === 'fragrance';
      return isFragrance && !isKnown ? 'fragrance' : undefined;
    };
    return [...groupBy(substance.contributions, reasonOf)].flatMap(([reason, contributions]) =>
      reason === undefined
        ? []
        : [
            {
              inciName: substance.inciName,
              reason,
              amount: sumOf(contributions.map(({ share }) => share.max)),
              origins: contributions.map(originOf),
            },
          ],
    );
  });
}

const originOf = (part: Contribution | UnknownPart): ScreenedOrigin => ({
  phase: part.phase,
  line: part.line,
  share: part.share.max,
  role: 'role' in part ? part.role : null,
});
