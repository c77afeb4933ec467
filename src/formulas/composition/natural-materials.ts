import { allergenNameOf, isNatural } from '../../ingredients/raw-materials/allergen-names';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import { groupBy } from '../../platform/common/collections';
import type { CompositionLine } from './composition';
import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  type LineShare,
  NOTHING,
  type Share,
  shareBeside,
  shareOfLine,
  sumOfShares,
} from './expansion';

interface Part extends LineShare {
  /** Null for a part of unknown composition. */
  readonly contribution: Contribution | null;
  /** True if the part has the name of the raw material. */
  readonly isItself: boolean;
}

/** A line whose raw material is an oil or an extract with a given composition. */
export interface NaturalMaterial {
  readonly phase: string;
  readonly line: CompositionLine;
  readonly inciName: string;
  readonly key: string;
  /** The parts of the oil or extract. */
  readonly parts: readonly Part[];
  /** True if the composition has other substances, such as the glycol of an extract. */
  readonly hasOthers: boolean;
  readonly share: Share;
}

/**
 * Oils and extracts by their own names. A composition tells what lavender oil consists of, and it is lavender oil
 * nevertheless, with the share of the complete line. Only where the composition names the oil or extract itself,
 * other substances beside it do not belong to it.
 */
export function naturalMaterials({ substances, unknown }: Expansion): NaturalMaterial[] {
  const parts = [
    ...substances.flatMap(({ key, contributions }) =>
      contributions.map((contribution) => ({ ...contribution, key, contribution })),
    ),
    ...unknown.map((part) => ({ ...part, key: '', contribution: null })),
  ];
  return [...groupBy(parts, ({ line }) => line)].flatMap(([line, ofLine]) => {
    const key = substanceKey(line.ingredient.inciName);
    const isGiven = ofLine.some(({ contribution }) => contribution?.isGiven);
    if (!isGiven || !isNatural(key)) return [];
    const named = ofLine.map((part) => ({
      ...part,
      isItself: isSameName(part.key, key),
      isConstituent: part.contribution !== null && isConstituent(part.key, part.contribution),
    }));
    const others = named.filter(({ isItself, isConstituent: belongs }) => !isItself && !belongs);
    const isDiluted = others.length > 0 && named.some(({ isItself }) => isItself);
    const own = isDiluted ? named.filter((part) => !others.includes(part)) : named;
    const { phase } = ofLine[0]!;
    const share = isDiluted ? shareWithout(own, others, line) : shareOfLine(line);
    return [
      {
        phase,
        line,
        key,
        inciName: line.ingredient.inciName,
        parts: own,
        hasOthers: others.length > 0,
        share,
      },
    ];
  });
}

const isSameName = (one: string, other: string): boolean => {
  const name = allergenNameOf(one);
  return one === other || (name !== undefined && name === allergenNameOf(other));
};

const isConstituent = (key: string, { role }: Contribution): boolean =>
  role === 'fragrance' ||
  role === 'fragrance-allergen' ||
  role === 'impurity' ||
  (role === null && allergenNameOf(key) !== undefined);

/** What the others leave of the line. */
function shareWithout(own: readonly Part[], others: readonly Part[], line: CompositionLine): Share {
  const [ofOwn, ofOthers] = [own, others].map((parts) => sumOfShares(parts.map(({ share }) => share)));
  return shareBeside(ofOwn!, ofOthers!, line);
}

/** A contribution, and the substance that it belongs to. */
export interface NamedContribution extends Pick<NaturalMaterial, 'key' | 'inciName'> {
  readonly contribution: Contribution;
}

/** Takes contributions away from substances, and adds others. A substance without any is left out. */
export function rearranged(
  substances: readonly ExpandedSubstance[],
  taken: ReadonlySet<Contribution>,
  added: readonly NamedContribution[],
): ExpandedSubstance[] {
  const addedByKey = groupBy(added, ({ key }) => key);
  const isPlain = ({ isNano }: ExpandedSubstance) => !isNano;
  const keys = new Set(substances.filter(isPlain).map(({ key }) => key));
  const created = [...addedByKey]
    .filter(([key]) => !keys.has(key))
    .map(([key, [first]]) => emptyOf(key, first!));
  return [...substances, ...created].flatMap((substance) => {
    const more = isPlain(substance) ? (addedByKey.get(substance.key) ?? []) : [];
    const left = substance.contributions.filter((contribution) => !taken.has(contribution));
    if (more.length === 0 && left.length === substance.contributions.length) return [substance];
    const contributions = [...left, ...more.map(({ contribution }) => contribution)];
    const share = sumOfShares(contributions.map((contribution) => contribution.share));
    return contributions.length === 0 ? [] : [{ ...substance, contributions, share }];
  });
}

const emptyOf = (key: string, { inciName, contribution }: NamedContribution): ExpandedSubstance => ({
  key,
  inciName,
  isNano: false,
  casNumbers: contribution.line.catalogue?.casNumbers ?? [],
  ecNumbers: [],
  share: NOTHING,
  contributions: [],
});
