import Big from 'big.js';
import { groupBy, sumOf } from '../../platform/common/collections';
import { inTurns, nextTurn } from '../../platform/common/in-turns';
import type { CompositionLine } from '../../formulas/composition/composition';
import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  sumOfShares,
  type UnknownPart,
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

export const subjectOf = (substance: ExpandedSubstance): Subject =>
  subjectWith(substance, substance.contributions);

const ownSubject = (material: NaturalMaterial): Subject =>
  subjectWith({ ...material, isNano: false, casNumbers: material.line.catalogue?.casNumbers ?? [] });

function subjectWith(
  { key, inciName, isNano, casNumbers, share }: Omit<ExpandedSubstance, 'ecNumbers' | 'contributions'>,
  parts: readonly (Contribution | UnknownPart)[] = [],
): Subject {
  const isRange = share.min.lt(share.max);
  return { key, inciName, isNano, casNumbers, amount: share.max, isRange, origins: parts.map(originOf) };
}

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
  const keyOf = ({ inciName }: UnknownPart) => `${substanceKey(inciName)}|${saysNano(inciName)}`;
  return [...groupBy(blends, keyOf).values()].map((parts) => {
    const { inciName } = parts[0]!;
    const share = sumOfShares(parts.map((part) => part.share));
    const blend = {
      key: substanceKey(inciName),
      inciName,
      isNano: saysNano(inciName),
      casNumbers: [],
      share,
    };
    return subjectWith(blend, parts);
  });
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
  await nextTurn();
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
export async function unexaminedParts(expansion: Expansion, isListed: (substance: Subject) => boolean) {
  return [...unknownParts(expansion), ...(await mixtures(expansion, isListed))];
}

function unknownParts({ unknown }: Expansion): UnexaminedPart[] {
  const keyOf = ({ reason, inciName }: UnknownPart) => `${reason}|${substanceKey(inciName)}`;
  return [...groupBy(unknown, keyOf).values()].map((parts) =>
    unexaminedPart(parts[0]!.inciName, parts[0]!.reason, parts),
  );
}

const unexaminedPart = (
  inciName: string,
  reason: UnexaminedPart['reason'],
  parts: readonly (Contribution | UnknownPart)[],
): UnexaminedPart => ({
  inciName,
  reason,
  amount: sumOf(parts.map(({ share }) => share.max)),
  origins: parts.map(originOf),
});

/**
 * Fragrances without a composition, and what remains of those with one. A fragrance raw material whose name the
 * table lists is that substance; its CAS numbers come from the compositions of others and do not count.
 */
async function mixtures(
  { substances }: Expansion,
  isListed: (substance: Subject) => boolean,
): Promise<UnexaminedPart[]> {
  const isMixture = ({ key, inciName }: ExpandedSubstance) => MIXTURES.includes(key) || isBlendName(inciName);
  const withNamedParts = new Set<CompositionLine>(
    substances
      .filter((substance) => !isMixture(substance))
      .flatMap(({ contributions }) => contributions.filter(({ isGiven }) => isGiven).map(({ line }) => line)),
  );
  const parts = await inTurns(substances, (substance) => {
    const isKnown = !isMixture(substance) && isListed({ ...subjectOf(substance), casNumbers: [] });
    const reasonOf = ({ isGiven, perfume, line }: Contribution): UnexaminedPart['reason'] | undefined => {
      if (isMixture(substance)) return withNamedParts.has(line) ? 'fragrance-rest' : 'fragrance';
      const isFragrance =
        perfume !== null ||
        mayBePerfume(line) ||
        (line.catalogue?.functionCategory === 'fragrance' && isNatural(substance.key));
      return !isGiven && isFragrance && !isKnown ? 'fragrance' : undefined;
    };
    return [...groupBy(substance.contributions, reasonOf)].flatMap(([reason, own]) =>
      reason === undefined ? [] : [unexaminedPart(substance.inciName, reason, own)],
    );
  });
  return parts.flat();
}

const originOf = (part: Contribution | UnknownPart): ScreenedOrigin => ({
  phase: part.phase,
  line: part.line,
  share: part.share.max,
  role: 'role' in part ? part.role : null,
});
