import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  sumOfShares,
} from '../formulas/composition/expansion';
import { allergenNameOf, DERIVED } from '../ingredients/raw-materials/allergen-names';
import { groupBy } from '../platform/common/collections';
import { naturalMaterials, rearranged } from '../formulas/composition/natural-materials';
import type { Region } from './declaration.dto';
import { isPresent } from './fragrance';

/*
 * Plants whose oils and extracts contain fragrance allergens: the natural extracts in Annex III of the EU, and
 * other sources of essential oils. Listed by the first word of an INCI name or an everyday English name.
 */

const AROMATIC = setOf(`
  aglaia agonis aloysia amyris aniba anthemis backhousia barosma boronia boswellia bulnesia bursera cananga canarium
  cedrus chamaemelum chamomilla cinnamomum cistus citrus clausena commiphora cymbopogon dipteryx elsholtzia eucalyptus
  eugenia evernia ferula freesia fusanus gaultheria hedychium helichrysum hierochloe hyssopus jasminum juniperus kunzea
  laurus lavandula leptospermum lippia litsea matricaria melaleuca melilotus melissa mentha michelia monarda murraya
  myrocarpus myroxylon myrtus narcissus nardostachys nepeta ocimum ocotea opoponax origanum ormenis osmanthus
  pelargonium pimenta pinus plumeria pogostemon polianthes ravensara rosa rosmarinus salvia santalum satureja
  spartium styrax syzygium tagetes tanacetum thymus turpentine vanilla vetiveria zingiber
  anise basil bay benzoin bergamot cajeput chamomile cinnamon citronella clove elemi frankincense galbanum
  geranium ginger grapefruit jasmine labdanum lavandin lavender lemon lemongrass lime mandarin marjoram myrrh neroli
  niaouli oakmoss orange oregano palmarosa patchouli peppermint petitgrain pine ravintsara rose rosemary rosewood sage
  sandalwood spearmint tangerine tea-tree thyme treemoss tuberose verbena vetiver wintergreen ylang ylang-ylang`);

/** Plants whose seeds are aromatic too. */
const WITH_AROMATIC_SEEDS = setOf(`
  aframomum amomum anethum apium carum coriandrum cuminum elettaria foeniculum illicium levisticum myristica
  petroselinum pimpinella trachyspermum
  caraway cardamom coriander cumin dill fennel nutmeg parsley`);

/** Plants whose essential oil contains allergens; their extracts have other uses. */
const AROMATIC_OILS = setOf(`
  abelmoschus abies achillea acorus agathis alpinia angelica artemisia betula callitris chamaecyparis chrysopogon
  copaifera cryptomeria cupressus curcuma cyperus daucus gardenia humulus inula liquidambar magnolia perilla picea piper
  populus pseudotsuga rhododendron saussurea schinus thuja thujopsis tsuga valeriana viola zanthoxylum
  cassia cedar cedarwood cypress fir spruce`);

/** Pressed oils, and parts or species without an essential oil, of plants in these lists. */
const NOT_AROMATIC = new RegExp(
  [
    String.raw`^(?:rosa|rose)\b(?!.*\bflower\b).*\b(?:canina|fruit|hips?|moschata|root|rubiginosa)\b`,
    String.raw`^pinus\b.*\b(?:bark|kernel|wood)\b`,
    String.raw`^salvia miltiorrhiza\b`,
    String.raw`^daucus\b(?!.*\bseed\b)`,
    String.raw`^cyperus esculentus\b`,
    String.raw`^orange roughy\b`,
  ].join('|'),
);

/** Words for essential oils and equally strong products: `Citrus Limon Peel Oil`, `Lavandula Oil/Extract`. */
const ESSENTIAL = /\b(?:absolute|balsam|concrete|oil|resin|resinoid|turpentine)\b/;
const EXTRACT = /\b(?:butter|cera|distillate|extract|hydrosol|juice|tincture|water|wax)\b/;

/** An essential oil always contains allergens. An extract, made with water or glycol, may be free of them. */
type AromaticKind = 'essential-oil' | 'extract';

/**
 * Returns the kind of an oil or extract with fragrance allergens; undefined for others, such as sunflower oil.
 * @param key of the substance
 */
export function aromaticKindOf(key: string): AromaticKind | undefined {
  const kind = ESSENTIAL.test(key) ? 'essential-oil' : EXTRACT.test(key) ? 'extract' : undefined;
  if (!kind || DERIVED.test(key) || NOT_AROMATIC.test(key)) return undefined;
  const [plant = ''] = key.replace(/^tea tree\b/, 'tea-tree').split(/[\s/(]/);
  if (WITH_AROMATIC_SEEDS.has(plant)) return kind;
  const isOfSeed = /\bseeds?\b/.test(key) && !/^(?:abelmoschus|daucus|angelica)\b/.test(key);
  if (isOfSeed) return undefined;
  if (AROMATIC.has(plant)) return kind;
  return kind === 'essential-oil' && AROMATIC_OILS.has(plant) ? kind : undefined;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

interface CompleteExtracts {
  readonly substances: readonly ExpandedSubstance[];
  /** The part of the allergens that the share of an extract includes. */
  readonly counted: ReadonlySet<Contribution>;
}

/**
 * Natural extracts with the allergens in them: lavender oil of which 40 percent is linalool is declared with its
 * whole share. Only the EU has the allergens declared in addition. Where the composition of a raw material that is
 * no fragrance has one other substance than allergens, impurities and aids, and that is an oil or extract of an
 * aromatic plant, it holds the allergens. Elsewhere nobody knows what holds them: each counts on its own, as
 * linalool beside sunflower oil does.
 */
function completeExtracts({ substances, unknown }: Expansion): CompleteExtracts {
  const doubtful = new Set(unknown.map(({ line }) => line));
  const counted = new Set<Contribution>();
  const complete = new Map<Contribution, Contribution>();
  for (const shares of sharesByLine(substances)) {
    const allergens = shares.filter(isAllergen).map(({ contribution }) => contribution);
    const [extract, ...others] = shares.filter((share) => !isAllergen(share));
    if (
      !extract ||
      others.length > 0 ||
      doubtful.has(extract.contribution.line) ||
      !aromaticKindOf(extract.substance.key)
    )
      continue;
    const { contribution } = extract;
    const share = sumOfShares([contribution, ...allergens].map(({ share: one }) => one));
    complete.set(contribution, { ...contribution, share });
    for (const allergen of allergens) counted.add(allergen);
  }
  return {
    counted,
    substances: substances.map((substance) => ({
      ...substance,
      contributions: substance.contributions.map(
        (contribution) => complete.get(contribution) ?? contribution,
      ),
    })),
  };
}

/**
 * The substances of a formula as the label of a region has them. Raw materials that are an oil or an extract keep
 * their own names: in China instead of what they consist of, in the EU in addition to it if Annex III lists them.
 */
export function labelSubstances(expansion: Expansion, region: Region): CompleteExtracts {
  if (region === 'cn') return completeExtracts(byCatalogueName(expansion));
  const complete = completeExtracts(expansion);
  return region === 'eu' ? withListedNames(complete, expansion) : complete;
}

function byCatalogueName(expansion: Expansion): Expansion {
  const materials = naturalMaterials(expansion).filter(({ key, parts, hasOthers }) => {
    const kind = aromaticKindOf(key);
    return kind === 'essential-oil' || (kind && (!hasOthers || parts.some(({ isItself }) => isItself)));
  });
  const taken = new Set<Contribution>();
  const added = materials.flatMap(({ key, inciName, parts, line: { ingredient } }) =>
    parts.flatMap(({ contribution }) => {
      if (!contribution || !isPresent(contribution)) return [];
      taken.add(contribution);
      const { chineseName } = ingredient;
      return [{ key, inciName, contribution: { ...contribution, chineseName, role: null, perfume: null } }];
    }),
  );
  return { ...expansion, substances: rearranged(expansion.substances, taken, added) };
}

/** The parts of a listed oil count in its entry and in their own, as the allergens of other extracts do. */
function withListedNames({ substances, counted }: CompleteExtracts, expansion: Expansion): CompleteExtracts {
  const added = naturalMaterials(expansion)
    .filter(({ key }) => allergenNameOf(key) !== undefined)
    .flatMap(({ key, inciName, parts }) =>
      parts
        .filter(({ isItself, contribution }) => !isItself && !(contribution && counted.has(contribution)))
        .map(({ phase, line, share }) => {
          const role = 'fragrance-allergen' as const;
          const part = { phase, line, share, role, isGiven: true, chineseName: null, perfume: null };
          return { key, inciName, contribution: part };
        }),
    );
  return {
    substances: rearranged(substances, new Set(), added),
    counted: new Set([...counted, ...added.map(({ contribution }) => contribution)]),
  };
}

interface SubstanceShare {
  readonly substance: ExpandedSubstance;
  readonly contribution: Contribution;
}

/** An allergen that may be in an extract, which another oil or extract is not. */
const isAllergen = ({ substance, contribution }: SubstanceShare): boolean =>
  contribution.role === 'fragrance-allergen' &&
  contribution.perfume === null &&
  !aromaticKindOf(substance.key);

/** The substances of given compositions that are present. */
const sharesByLine = (substances: readonly ExpandedSubstance[]): SubstanceShare[][] => [
  ...groupBy(
    substances.flatMap((substance) =>
      substance.contributions
        .filter((part) => part.isGiven && isPresent(part))
        .map((contribution) => ({ substance, contribution })),
    ),
    ({ contribution }) => contribution.line,
  ).values(),
];
