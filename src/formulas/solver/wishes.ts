import Big from 'big.js';
import { groupBy } from '../../platform/common/collections';
import { ConflictError, InvalidInputError } from '../../platform/common/errors/service-error';
import { inTurns } from '../../platform/common/in-turns';
import { text } from '../../platform/texts/text';
import type { DocumentLanguage } from '../../documents/document';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { CompositionLine } from '../composition/composition';
import { formulaTexts, nameIn } from '../formulas.texts';
import type { Draft } from './draft';
import type { Limit, Problem } from './linear-program';
import type { SolveDto } from './solve.dto';

/** Fewest and most decimals of the percentages that are sought. */
const DECIMALS = { min: 3, max: 6 } as const;

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
  const { composition, lines, costs, contents } = draft;
  const t = formulaTexts.in(language);
  const decimals = decimalsOf(input, draft);
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
    return sumWithin([line], share, share);
  };

  const aboutVersion = await inTurns(
    [
      ...eachOf('bounds', input.bounds, ({ ingredientId: id, min = 0, max = 100 }) => [
        t('solve.bounds', { name: nameOf(id), min, max }),
        sumWithin(ofIngredient(id), min, max),
      ]),
      ...eachOf('phases', input.phases, ({ name, min = 0, max = 100 }) => [
        t('solve.phase', { name, min, max }),
        sumWithin(byPhase.get(name) ?? [], min, max),
      ]),
      ...eachOf('substances', input.substances, ({ key, min = 0, max = 100 }) => {
        const name = substanceKey(key);
        const shares = contents.map((ofLine) => ofLine.get(name));
        return [
          t('solve.substance', { key, min, max }),
          { terms: termsOf(shares.map((share) => share?.min)), min: String(min) },
          { terms: termsOf(shares.map((share) => share?.max)), max: String(max) },
        ];
      }),
      ...eachOf('keep', input.keep, (id) => [
        t('solve.keep', { name: nameOf(id) }),
        ...ofIngredient(id).map(unchanged),
      ]),
    ],
    (wish) => wish(),
  );
  assertAnswerable(input, draft, aboutVersion);

  const free = new Set([
    ...idsIn(input.exclude),
    ...idsIn(input.bounds?.map(({ ingredientId }) => ingredientId)),
  ]);
  const others = indexes.filter(
    (line) => lines[line]!.percentage > 0 && !free.has(lines[line]!.ingredientId),
  );
  const furtherWishes = [
    ...eachOf('exclude', input.exclude, (id) => [
      t('solve.exclude', { name: nameOf(id) }),
      sumWithin(ofIngredient(id), 0, 0),
    ]),
    ...eachOf('add', input.add, ({ category, max = 100 }) => {
      const candidates = indexes.filter((line) => isCandidate(lines[line]!, category));
      return [t('solve.add', { category, max }), sumWithin(candidates, 0, max)];
    }),
    ...heldLines(input, draft, language).map(({ line, message }) => () => ({
      field: null,
      message,
      limits: [unchanged(line)],
    })),
  ];
  return [
    ...aboutVersion,
    ...(await inTurns(furtherWishes, (wish) => wish())),
    ...(input.others === 'unchanged'
      ? [{ field: 'others', message: t('solve.others'), limits: others.map(unchanged) }]
      : []),
    ...[input.maxCost ?? []].flat().map((max) => ({
      field: 'maxCost',
      message: t('solve.max-cost', { max }),
      limits: [{ terms: termsOf(costs), max: String(max) }],
    })),
  ];
}

export function problemOf(input: SolveDto, draft: Draft, wishes: readonly Wish[]): Problem {
  return {
    objective: input.objective,
    decimals: decimalsOf(input, draft),
    present: draft.lines.map(({ percentage }) => percentage),
    costs: draft.costs.map((cost) => cost?.toFixed() ?? '0'),
    wishes: wishes.map(({ limits }) => limits),
  };
}

/** Lines that stay as they are, because too little is known of them. */
export function heldLines(
  input: SolveDto,
  { lines, costs, unknown }: Draft,
  language: DocumentLanguage,
): { readonly line: number; readonly message: string }[] {
  const t = formulaTexts.in(language);
  const excluded = idsIn(input.exclude);
  const needsCosts = input.objective === 'least-cost' || typeof input.maxCost === 'number';
  const reasonOf = (line: CompositionLine, index: number) => {
    if (!line.catalogue) return t('cost.reason.hidden');
    if (needsCosts && !costs[index]) return t('solve.held.no-usable-price');
    return unknown.has(index) ? t('solve.held.composition-unknown') : undefined;
  };
  return lines.flatMap((line, index) => {
    const reason = excluded.has(line.ingredientId) ? undefined : reasonOf(line, index);
    const name = nameIn(line.ingredient, language);
    return reason ? [{ line: index, message: t('solve.held', { name, reason }) }] : [];
  });
}

/** True for an ingredient of the category that may come in. */
export const isCandidate = ({ percentage, catalogue }: CompositionLine, category: string): boolean =>
  percentage === 0 && catalogue?.functionCategory === category;

export const idsIn = (ids: readonly string[] | null | undefined): ReadonlySet<string> =>
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

function assertAnswerable(input: SolveDto, draft: Draft, aboutVersion: readonly Wish[]): void {
  // A substance that is not there exceeds no limit.
  const isMissing = ({ terms, min, max }: Limit) => terms.length === 0 && (min !== '0' || max !== undefined);
  const faults = aboutVersion
    .filter(({ limits }) => limits.every(isMissing))
    .map(({ field }) => ({ field: field!, message: text('solve.not-in-version') }));
  const excluded = idsIn(input.exclude);
  const unpriced = draft.lines.filter(
    ({ ingredientId, percentage }, line) =>
      percentage > 0 && !draft.costs[line] && !excluded.has(ingredientId),
  );
  if (typeof input.maxCost === 'number' && unpriced.length > 0) {
    const values = {
      count: unpriced.length,
      names: unpriced.slice(0, MAX_NAMES).map(({ ingredient }) => ingredient.inciName),
    };
    faults.push({ field: 'maxCost', message: text('solve.cost-unknown', values) });
  }
  if (faults.length > 0) throw InvalidInputError.of(faults);
}

/**
 * Functions that return the wish of each item.
 * @param ask returns its message and its limits
 */
const eachOf = <Item>(
  field: string,
  items: readonly Item[] | null | undefined,
  ask: (item: Item) => readonly [message: string, ...limits: Limit[]],
): (() => Wish)[] =>
  (items ?? []).map((item, index) => () => {
    const [message, ...limits] = ask(item);
    return { field: `${field}.${index}`, message, limits };
  });

const sumWithin = (lines: readonly number[], min: number, max: number): Limit => ({
  terms: lines.map((line) => [line, '1'] as const),
  min: String(min),
  max: String(max),
});

const termsOf = (coefficients: readonly (Big | null | undefined)[]): Limit['terms'] =>
  coefficients.flatMap((coefficient, line) => (coefficient ? [[line, coefficient.toFixed()] as const] : []));

function decimalsOf({ bounds, phases }: SolveDto, { lines }: Draft): number {
  const limits = [...(bounds ?? []), ...(phases ?? [])].flatMap(({ min = 0, max = 0 }) => [min, max]);
  const decimals = [...limits, ...lines.map(({ percentage }) => percentage)].map((share) => {
    const { c, e } = new Big(share);
    return c.length - e - 1;
  });
  return Math.min(DECIMALS.max, Math.max(DECIMALS.min, ...decimals));
}
