import Big from 'big.js';
import { groupBy, sumOf } from '../../platform/common/collections';
import { inTurns } from '../../platform/common/in-turns';
import type { CompositionLine } from '../../formulas/composition/composition';
import type {
  Contribution,
  ExpandedSubstance,
  Expansion,
  UnknownPart,
} from '../../formulas/composition/expansion';
import { mayBePerfume } from '../../formulas/composition/perfume';
import {
  naturalMaterials,
  type NaturalMaterial,
  rearranged,
} from '../../formulas/composition/natural-materials';
import { isNatural } from '../../ingredients/raw-materials/allergen-names';
import { isBlendName, saysNano, substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { Mixture, ScreenedOrigin, Subject, UnexaminedPart } from './screening-model';

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

const ownSubject = ({ key, inciName, line, share }: NaturalMaterial): Subject => ({
  key,
  inciName,
  isNano: false,
  casNumbers: line.catalogue?.casNumbers ?? [],
  amount: share.max,
  isRange: share.min.lt(share.max),
  origins: [],
});

/** Names of oils and extracts with a given composition, which a table may list. */
export const naturalSubjects = (expansion: Expansion): Subject[] =>
  naturalMaterials(expansion).map(ownSubject);

/** The substances; an oil or extract that the table lists counts by its own name too, with the share of its line. */
export function withListedMaterials(
  expansion: Expansion,
  isListed: (substance: Subject) => boolean,
): readonly ExpandedSubstance[] {
  const listed = naturalMaterials(expansion).filter((one) =>
    isListed({ ...ownSubject(one), casNumbers: [] }),
  );
  const taken = listed.flatMap(({ parts }) =>
    parts.flatMap(({ isItself, contribution }) => (isItself && contribution ? [contribution] : [])),
  );
  const added = listed.map(({ phase, line, key, inciName, share }) => ({
    key,
    inciName,
    contribution: { phase, line, share, role: null, isGiven: true, chineseName: null, perfume: null },
  }));
  return rearranged(expansion.substances, new Set(taken), added);
}

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

/** The subjects with their shares of the mixture before use, then those that only its other part contains. */
export async function inMixture(
  own: readonly Subject[],
  mixture: Mixture | undefined,
  isListed: (substance: Subject) => boolean,
): Promise<readonly Subject[]> {
  if (!mixture) return own;
  const { ratio, expansion, isPartial } = mixture;
  const parts = new Big(ratio).plus(1);
  const keyOf = ({ key, isNano }: Subject) => `${key}|${isNano}`;
  const others = expansion
    ? [...withListedMaterials(expansion, isListed).map(subjectOf), ...namedBlends(expansion)]
    : [];
  const byKey = new Map(others.map((other) => [keyOf(other), other]));
  const mixed = (subject: Subject, other: Subject | undefined, isOnlyOther: boolean): Subject => ({
    ...subject,
    isRange: subject.isRange || other?.isRange === true,
    mixed: {
      amount: subject.amount.plus(other?.amount.times(ratio) ?? 0),
      ...{ parts, isLowerBound: isPartial, isOnlyOther },
    },
  });
  const ownKeys = new Set(own.map(keyOf));
  const further = others.filter((other) => !ownKeys.has(keyOf(other)));
  return [
    ...(await inTurns(own, (subject) => mixed(subject, byKey.get(keyOf(subject)), false))),
    ...(await inTurns(further, (other) => mixed({ ...other, amount: new Big(0), origins: [] }, other, true))),
  ];
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
    const reasonOf = ({ isGiven, perfume, line }: Contribution): UnexaminedPart['reason'] | undefined => {
      if (isMixture(substance)) return withNamedParts.has(line) ? 'fragrance-rest' : 'fragrance';
      const isFragrance =
        perfume !== null ||
        mayBePerfume(line) ||
        (line.catalogue?.functionCategory === 'fragrance' && isNatural(substance.key));
      return !isGiven && isFragrance && !isKnown ? 'fragrance' : undefined;
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
