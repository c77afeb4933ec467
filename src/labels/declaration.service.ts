import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../platform/access/row-filter';
import { ConflictError, InvalidInputError } from '../platform/common/errors/service-error';
import { text } from '../platform/texts/text';
import { REQUIRED } from '../platform/validation/fields';
import { idsOf } from '../platform/validation/id-list';
import { withProfiles } from '../formulas/profile/profile-defaults';
import { FormulasService } from '../formulas/formulas.service';
import { formulaCondition } from '../formulas/lists/list-conditions';
import { rangeOf } from './range';
import { MAX_SHADES, type RangeDeclarationDto, type RangeQuery } from './range.dto';
import { type Composition, type CompositionLine, linesOf } from '../formulas/composition/composition';
import { CompositionsService } from '../formulas/composition/compositions.service';
import {
  contributionsIn,
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
} from '../formulas/composition/expansion';
import { versionOf } from '../formulas/costing/analysis.fields';
import { ciNumberOf } from '../ingredients/raw-materials/registry-numbers';
import { allergenNameOf } from '../ingredients/raw-materials/allergen-names';
import { PARFUM, substanceKey } from '../ingredients/raw-materials/substance-names';
import { distinct, groupBy, sumOf } from '../platform/common/collections';
import type { CurrentUser } from '../platform/common/current-user';
import { inTurns } from '../platform/common/in-turns';
import { allergenThreshold, substancesAboveThreshold } from './allergens';
import { isIncomplete, problemsOf } from './declaration-problems';
import {
  type DeclarationDto,
  type DeclarationQuery,
  type EntryKind,
  type Region,
  REGIONS,
  type UndeclaredReason,
} from './declaration.dto';
import { fragranceEntries, isPresent } from './fragrance';
import {
  type EntryShare,
  inLabelOrder,
  type LabelEntry,
  lineTotals,
  listedShare,
  mergeByName,
} from './label-entries';
import { declaredName, headingOf, labelText } from './label-names';
import { labelTexts } from './labels.texts';
import { labelSubstances } from './natural-extracts';

/** Most contributions of a declared version. */
export const MAX_DECLARED_CONTRIBUTIONS = 3000;

/** Most contributions of all formulas of a range. */
export const MAX_RANGE_CONTRIBUTIONS = 10_000;

@Injectable()
export class DeclarationService {
  constructor(
    private readonly compositions: CompositionsService,
    private readonly formulas: FormulasService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** @throws NotFoundError; ConflictError if the version has too many substances */
  async declare(user: CurrentUser, formulaId: string, query: DeclarationQuery): Promise<DeclarationDto> {
    const [composition] = await this.compositions.read(user, [{ formulaId, version: query.version }]);
    const rules = rulesOf(query, [composition]);
    const expansion = await this.compositions.expand(user, composition, MAX_DECLARED_CONTRIBUTIONS);
    return declare(composition, expansion, rules);
  }

  /**
   * The label of formulas that differ in colorants only, by their latest versions.
   * @throws InvalidInputError for fewer than 2 formulas or more than 50; NotFoundError; ConflictError
   */
  async declareRange(user: CurrentUser, query: RangeQuery): Promise<RangeDeclarationDto> {
    const ids = await this.idsOfRange(user, query);
    const compositions = await this.compositions.read(
      user,
      ids.map((formulaId) => ({ formulaId })),
    );
    const rules = rulesOf(query, compositions);
    const declarations: DeclarationDto[] = [];
    let contributions = 0;
    for (const composition of compositions) {
      const expansion = await this.compositions.expand(user, composition, MAX_DECLARED_CONTRIBUTIONS);
      contributions += contributionsIn([expansion]);
      if (contributions > MAX_RANGE_CONTRIBUTIONS) {
        throw new ConflictError(text('declaration.too-many-substances', { max: MAX_RANGE_CONTRIBUTIONS }));
      }
      declarations.push(await declare(composition, expansion, rules));
    }
    return rangeOf(declarations);
  }

  private async idsOfRange(user: CurrentUser, { formulas, projectId }: RangeQuery): Promise<string[]> {
    if ((formulas === undefined) === (projectId === undefined)) {
      throw InvalidInputError.of([{ field: 'formulas', message: text('declaration.formulas-or-project') }]);
    }
    const field = projectId === undefined ? 'formulas' : 'projectId';
    const ids =
      formulas === undefined
        ? await this.idsOfProject(user, projectId!)
        : distinct(idsOf(formulas.toLowerCase()));
    if (ids.length > MAX_SHADES)
      throw InvalidInputError.of([{ field, message: text('field.too-many-items', { max: MAX_SHADES }) }]);
    if (ids.length < 2)
      throw InvalidInputError.of([{ field, message: text('field.too-few-items', { min: 2 }) }]);
    return ids;
  }

  /** One more than a range may have tells that there are too many. */
  private async idsOfProject(user: CurrentUser, projectId: string): Promise<string[]> {
    const filter = await this.rowFilters.of(user);
    const page = { page: 1, limit: MAX_SHADES + 1, sortBy: 'name', sortOrder: 'asc' } as const;
    const { rows } = await this.formulas.list(filter, page, formulaCondition(filter, { projectId }));
    return rows.parse().map(({ id }) => id);
  }
}

export interface DeclarationRules extends Pick<DeclarationDto, 'region' | 'productType' | 'fromProfile'> {
  readonly lang: DeclarationQuery['lang'];
}

/** @throws InvalidInputError if neither the query nor a profile names a region, or if profiles differ */
function rulesOf(
  query: Omit<DeclarationQuery, 'version'>,
  compositions: readonly Composition[],
): DeclarationRules {
  const profiles = compositions.map(({ profile }) => profile);
  const {
    region,
    productType = 'leave-on',
    lang,
    fromProfile,
  } = withProfiles(query, profiles, (profile) => ({
    region: profile.markets.find(isRegion),
    productType: profile.productType ?? undefined,
  }));
  if (region === undefined) throw InvalidInputError.of([{ field: 'region', message: REQUIRED }]);
  return { region, productType, lang, fromProfile };
}

const isRegion = (market: string): market is Region => REGIONS.some((region) => region === market);

/** Returns the ingredient list of a product by the rules of a region. */
export async function declare(
  composition: Composition,
  expansion: Expansion,
  { region, productType, lang, fromProfile }: DeclarationRules,
): Promise<DeclarationDto> {
  const lines = linesOf(composition);
  const t = labelTexts.in(lang);
  const totals = lineTotals(expansion);
  const { substances, counted } = labelSubstances(expansion, region);
  const above = await substancesAboveThreshold(substances, totals, productType);
  const named = await inTurns(substances, (substance) =>
    nameSubstance(substance, { region, above, counted }),
  );
  const entries = inOrderOf(lines, [
    ...named.flatMap((substance) => substance.entries),
    ...fragranceEntries({ ...expansion, substances }, region),
    ...unknownEntries(expansion),
  ]);
  const listed = await inTurns(mergeByName(entries), (entry) => ({
    ...entry,
    listedShare: listedShare(entry, totals),
  }));
  const ordered = inLabelOrder(
    listed.map(({ name, kind, listedShare: share }) => ({ name, kind, ...share })),
    { region, productType },
  );
  const undeclared = await inTurns(
    named.flatMap((substance) => substance.undeclared),
    (substance) => ({ ...listedShare(substance, totals), reason: substance.reason }),
  );
  const problems = await problemsOf(listed, expansion, { region, productType, above });
  return {
    ...versionOf(composition),
    ...{ region, productType, fromProfile },
    heading: headingOf(region),
    text: labelText(ordered, region),
    isComplete: !problems.some(isIncomplete),
    total: sumOf(lines.map(({ percentage }) => percentage)).toNumber(),
    basis: {
      order: 'middle',
      threshold: 'maximum',
      allergensAbove: region === 'eu' ? allergenThreshold(productType) : null,
    },
    entries: ordered,
    undeclared,
    problems: problems.map(({ code, ...problem }) => ({
      code,
      message: t(`declaration.problem.${code}`),
      ...problem,
    })),
    closing: t('declaration.closing'),
  };
}

/** Sorts entries by the first line of each; entries of one line stay in the order of its composition. */
function inOrderOf(lines: readonly CompositionLine[], entries: readonly LabelEntry[]): LabelEntry[] {
  const positions = new Map(lines.map((line, position) => [line, position]));
  const positionOf = ({ shares }: LabelEntry) => positions.get(shares[0]!.line) ?? 0;
  return entries.toSorted((one, other) => positionOf(one) - positionOf(other));
}

/** Lists raw materials, and parts of them, of unknown composition, each with the sum of its lines. */
function unknownEntries({ unknown }: Expansion): LabelEntry[] {
  const parts = unknown.filter(({ perfume }) => perfume === null);
  const byName = groupBy(parts, ({ line, inciName }) => `${line.ingredientId}|${inciName}`);
  return [...byName.values()].map((same) => ({
    name: null,
    inciName: same[0]!.inciName,
    inciNames: [],
    kind: 'unknown',
    chineseNames: [],
    shares: same.map(({ phase, line, share }) => ({ phase, line, share, isCountedElsewhere: false })),
  }));
}

interface NamingContext {
  readonly region: Region;
  /** Keys of substances whose amount is above the threshold of allergens. */
  readonly above: ReadonlySet<string>;
  /** Contributions that the entry of a natural extract counts. */
  readonly counted: ReadonlySet<Contribution>;
}

/** A substance, or a part of it, that the list does not name. */
interface UnnamedSubstance {
  readonly inciName: string;
  readonly reason: UndeclaredReason;
  readonly shares: readonly EntryShare[];
}

interface NamedParts {
  readonly entries: readonly LabelEntry[];
  readonly undeclared: readonly UnnamedSubstance[];
}

/** Splits a substance into the part with its own name in the list, and the part that is not named. */
function nameSubstance(substance: ExpandedSubstance, context: NamingContext): NamedParts {
  const { entries, undeclared } = namePresent(substance, context);
  const others = (['impurity', 'processing-aid'] as const).flatMap((reason) => {
    const ofRole = substance.contributions.filter(({ role }) => role === reason);
    return unnamed(substance, ofRole, reason, context);
  });
  return { entries, undeclared: [...undeclared, ...others] };
}

function namePresent(substance: ExpandedSubstance, context: NamingContext): NamedParts {
  const present = substance.contributions.filter(isPresent);
  const isElsewhere = (contribution: Contribution) => isCountedElsewhere(contribution, context);
  const outside = present.filter((contribution) => !isElsewhere(contribution));
  const mayBeAllergen = context.region === 'eu' && substance.key !== PARFUM;
  const isAllergen = mayBeAllergen && present.some(({ role }) => role === 'fragrance-allergen');
  if (!isAllergen) return { entries: labelEntries(substance, outside, context), undeclared: [] };
  if (context.above.has(substance.key)) {
    return { entries: labelEntries(substance, present, context, 'allergen'), undeclared: [] };
  }
  // A contribution that is not an allergen of a fragrance is named at any share.
  const isNamed = outside.some(({ role }) => role !== 'fragrance-allergen');
  const hidden = isNamed ? present.filter(isElsewhere) : present;
  return {
    entries: isNamed ? labelEntries(substance, outside, context) : [],
    undeclared: unnamed(substance, hidden, 'allergen-not-above-threshold', context),
  };
}

function labelEntries(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  context: NamingContext,
  kind: EntryKind = 'substance',
): LabelEntry[] {
  if (contributions.length === 0) return [];
  const { key, isNano } = substance;
  const inciName = listedName(substance, context);
  const isColorant = contributions.every((contribution) => isOfColorant(substance, contribution));
  const chineseNames = [...new Set(contributions.flatMap(({ chineseName }) => chineseName?.trim() || []))];
  return [
    {
      inciName,
      name: declaredName({ key, inciName, isNano, isColorant, chineseNames }, context.region),
      inciNames: [inciName],
      kind: isColorant ? 'colorant' : kind,
      chineseNames,
      shares: entryShares(contributions, context),
    },
  ];
}

/** In the EU an allergen above the threshold has the name of its group. */
function listedName(substance: ExpandedSubstance, { region, above }: NamingContext): string {
  const { key, inciName } = substance;
  const name = region === 'eu' && above.has(key) ? allergenNameOf(key) : undefined;
  return name === undefined || substanceKey(name) === key ? inciName : name;
}

function unnamed(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  reason: UndeclaredReason,
  context: NamingContext,
): UnnamedSubstance[] {
  if (contributions.length === 0) return [];
  const { inciName } = substance;
  return [{ inciName, reason, shares: entryShares(contributions, context) }];
}

const entryShares = (contributions: readonly Contribution[], context: NamingContext): EntryShare[] =>
  contributions.map((contribution) => {
    const { phase, line, share } = contribution;
    return { phase, line, share, isCountedElsewhere: isCountedElsewhere(contribution, context) };
  });

/** Returns true if the entry of the fragrance, or of a natural extract, counts the contribution. */
const isCountedElsewhere = (contribution: Contribution, { counted }: NamingContext): boolean =>
  isPresent(contribution) && (counted.has(contribution) || contribution.perfume !== null);

/**
 * Returns true for a colorant: by its role or its CI number. The category only says what a raw material may be used
 * for. Titanium dioxide as a UV filter is not a colorant, although its name may contain a CI number.
 */
const isOfColorant = ({ inciName }: ExpandedSubstance, { role, line }: Contribution): boolean =>
  role === 'colorant' ||
  (ciNumberOf(inciName) !== undefined && line.catalogue?.functionCategory !== 'sunscreen');
