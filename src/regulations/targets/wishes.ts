import Big from 'big.js';
import { distinct, groupBy } from '../../platform/common/collections';
import { ConflictError, InvalidInputError } from '../../platform/common/errors/service-error';
import { inTurns } from '../../platform/common/in-turns';
import { text } from '../../platform/texts/text';
import type { DocumentLanguage } from '../../documents/document';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { CompositionLine } from '../../formulas/composition/composition';
import { formulaTexts, nameIn } from '../../formulas/formulas.texts';
import { regulationTexts } from '../regulations.texts';
import { limitOnLines } from '../screening/judge-row';
import type { Finding } from '../screening/screening-model';
import { entryNames } from '../screening/screening.service';
import { type Draft, type HeldLine, termsOf } from './draft';
import type { Limit } from '../../formulas/solver/linear-program';
import type { SolveDto } from './solve.dto';

/** Most names in a message. */
const MAX_NAMES = 5;

export interface Wish {
  /** In the request; null for a line of which too little is known to change it. */
  readonly field: string | null;
  readonly message: string;
  readonly limits: readonly Limit[];
}

/**
 * The wishes of a request, and the lines that stay as they are.
 * @throws ConflictError for a line that stays and would be rounded to 0
 * @throws InvalidInputError for a list that names one thing twice, for wishes about something that the version does not
 *   contain, and for a limit of the cost where the cost is not known
 */
export async function wishesOf(input: SolveDto, draft: Draft, language: DocumentLanguage): Promise<Wish[]> {
  assertDistinct(input);
  const wishes = await inTurns(wishesIn(input, draft, language), (wish) => wish);
  const isAbsent = ({ terms, min }: Limit) => terms.length === 0 && min !== undefined;
  const faults = wishes
    .filter(({ limits }) => limits.length === 0 || limits.some(isAbsent))
    .map(({ field }) => ({ field: field!, message: text('solve.not-in-version') }));
  const excluded = idsIn(input.exclude);
  const unpriced = draft.lines.filter(
    ({ ingredientId, percentage }, line) =>
      percentage > 0 && !draft.costs[line] && !excluded.has(ingredientId),
  );
  if (typeof input.maxCost === 'number' && unpriced.length > 0) {
    const names = unpriced.slice(0, MAX_NAMES).map(({ ingredient }) => ingredient.inciName);
    const message = text('solve.cost-unknown', { count: unpriced.length, names });
    faults.push({ field: 'maxCost', message });
  }
  if (faults.length > 0) throw InvalidInputError.of(faults);
  return wishes;
}

function* wishesIn(input: SolveDto, draft: Draft, language: DocumentLanguage): Generator<Wish> {
  const t = formulaTexts.in(language);
  const { composition, lines, costs, expansion, decimals } = draft;
  const indexes = [...lines.keys()];
  const phases = composition.phases.flatMap(({ name, ingredients }) => ingredients.map(() => name));
  const byPhase = groupBy(indexes, (line) => phases[line]!);
  const byIngredient = groupBy(indexes, (line) => lines[line]!.ingredientId);
  const ofIngredient = (id: string) => byIngredient.get(id.toLowerCase()) ?? [];
  const nameOf = (id: string) => {
    const [line] = ofIngredient(id);
    return line === undefined ? id : nameIn(lines[line]!.ingredient, language);
  };
  const unchanged = (line: number): Limit => {
    const { percentage } = lines[line]!;
    const share = new Big(percentage).round(decimals).toNumber();
    if (share === 0 && percentage > 0) throw new ConflictError(text('solve.not-rounded', { decimals }));
    return sumWithin([line], { min: share, max: share });
  };

  for (const [field, { ingredientId: id, min = 0, max = 100 }] of eachOf('bounds', input.bounds)) {
    const limits = [sumWithin(ofIngredient(id), { min, max })];
    yield { field, message: t('solve.bounds', { name: nameOf(id), min, max }), limits };
  }
  for (const [field, { name, min = 0, max = 100 }] of eachOf('phases', input.phases)) {
    const limits = [sumWithin(byPhase.get(name) ?? [], { min, max })];
    yield { field, message: t('solve.phase', { name, min, max }), limits };
  }
  for (const [field, { key, min = 0, max = 100 }] of eachOf('substances', input.substances)) {
    const found = expansion!.substances.filter((substance) => substance.key === substanceKey(key));
    const contributions = found.flatMap((substance) => substance.contributions);
    const terms = (bound: 'min' | 'max') => termsOf(draft, contributions, ({ share }) => share[bound]);
    // A substance that is not there exceeds no limit.
    const least = min > 0 ? [{ terms: terms('min'), min: String(min) }] : [];
    const limits = [...least, { terms: terms('max'), max: String(max) }];
    yield { field, message: t('solve.substance', { key, min, max }), limits };
  }
  for (const finding of draft.findings) {
    const limit = limitOnLines(finding);
    if (!limit) continue;
    const limits = [
      { terms: termsOf(draft, limit.contents, ({ amount }) => amount), max: limit.max.toFixed() },
    ];
    yield { field: 'screening', message: limitMessage(finding, language), limits };
  }
  for (const [field, id] of eachOf('keep', input.keep)) {
    yield { field, message: t('solve.keep', { name: nameOf(id) }), limits: ofIngredient(id).map(unchanged) };
  }
  for (const [field, id] of eachOf('exclude', input.exclude)) {
    const limits = [sumWithin(ofIngredient(id), { max: 0 })];
    yield { field, message: t('solve.exclude', { name: nameOf(id) }), limits };
  }
  for (const [field, { category, max = 100 }] of eachOf('add', input.add)) {
    const candidates = indexes.filter((line) => isCandidate(lines[line]!, category));
    const limits = [sumWithin(candidates, { max })];
    yield { field, message: t('solve.add', { category, max }), limits };
  }
  for (const { index, message } of draft.held) yield { field: null, message, limits: [unchanged(index)] };
  if (input.others === 'unchanged') {
    const named = [...(input.exclude ?? []), ...(input.bounds ?? []).map(({ ingredientId }) => ingredientId)];
    const free = new Set(named.flatMap(ofIngredient));
    const others = indexes.filter((line) => lines[line]!.percentage > 0 && !free.has(line));
    const message = t('solve.others');
    if (others.length > 0) yield { field: 'others', message, limits: others.map(unchanged) };
  }
  if (typeof input.maxCost === 'number') {
    const max = input.maxCost;
    const terms = costs.flatMap((cost, line) => (cost ? [[line, cost.toFixed()] as const] : []));
    const limits = [{ terms, max: String(max) }];
    yield { field: 'maxCost', message: t('solve.max-cost', { max }), limits };
  }
}

function limitMessage({ result, limits, substances }: Finding, language: DocumentLanguage): string {
  const t = regulationTexts.in(language);
  const entries = entryNames(limits);
  const names = distinct(substances.map(({ subject }) => subject.inciName));
  const shown = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names;
  if (result === 'prohibited') return t('screening.prohibited', { entries, names: shown });
  const [{ limitPercent, basis }] = limits as [Finding['limits'][number]];
  const max = basis === null ? `${limitPercent}%` : `${limitPercent}% (${basis})`;
  return t('screening.limit', { entries, names: shown, max });
}

/** Lines that stay as they are, because too little is known of them. */
export function heldLines(
  input: SolveDto,
  { lines, costs, expansion }: Pick<Draft, 'lines' | 'costs' | 'expansion'>,
  language: DocumentLanguage,
): HeldLine[] {
  const t = formulaTexts.in(language);
  const excluded = idsIn(input.exclude);
  const unknown = new Set(expansion?.unknown.map(({ line }) => line.id));
  const needsCosts = input.objective === 'least-cost' || typeof input.maxCost === 'number';
  const reasonOf = (line: CompositionLine, index: number) => {
    if (!line.catalogue) return t('cost.reason.hidden');
    if (needsCosts && !costs[index]) return t('solve.held.no-usable-price');
    return unknown.has(line.id) ? t('solve.held.composition-unknown') : undefined;
  };
  return lines.flatMap((line, index) => {
    const reason = excluded.has(line.ingredientId) ? undefined : reasonOf(line, index);
    const name = nameIn(line.ingredient, language);
    return reason ? [{ index, line, message: t('solve.held', { name, reason }) }] : [];
  });
}

/** True for an ingredient of the category that may come in. */
export const isCandidate = ({ percentage, catalogue }: CompositionLine, category: string): boolean =>
  percentage === 0 && catalogue?.functionCategory === category;

const idsIn = (ids: readonly string[] | null | undefined): ReadonlySet<string> =>
  new Set(ids?.map((id) => id.toLowerCase()));

/** A list that names one thing many times would have as many wishes about all its lines. */
function assertDistinct(input: SolveDto): void {
  for (const field of ['bounds', 'phases', 'substances', 'keep', 'exclude', 'add'] as const) {
    const names = (input[field] ?? []).map((wish) => {
      if (typeof wish === 'string') return wish.toLowerCase();
      if ('ingredientId' in wish) return wish.ingredientId.toLowerCase();
      return 'key' in wish ? substanceKey(wish.key) : 'name' in wish ? wish.name : wish.category;
    });
    const at = names.findIndex((name, index) => names.indexOf(name) < index);
    const position = { position: at + 1, earlier: names.indexOf(names[at]!) + 1 };
    if (at >= 0) throw InvalidInputError.of([{ field, message: text('names.repeated', position) }]);
  }
}

const eachOf = <Item>(field: string, items: readonly Item[] | null | undefined) =>
  (items ?? []).map((item, index) => [`${field}.${index}`, item] as const);

const sumWithin = (lines: readonly number[], { min, max }: { min?: number; max: number }): Limit => ({
  terms: lines.map((line) => [line, '1'] as const),
  min: min === undefined ? undefined : String(min),
  max: String(max),
});

/** Decimals of the percentages that are sought: those of the lines and the bounds, from 3 to 6. */
export function decimalsOf({ bounds, phases }: SolveDto, lines: readonly CompositionLine[]): number {
  const limits = [...(bounds ?? []), ...(phases ?? [])].flatMap(({ min = 0, max = 0 }) => [min, max]);
  const decimals = [...limits, ...lines.map(({ percentage }) => percentage)].map((share) => {
    const { c, e } = new Big(share);
    return c.length - e - 1;
  });
  return Math.min(6, Math.max(3, ...decimals));
}
