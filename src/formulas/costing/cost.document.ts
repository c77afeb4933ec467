import {
  type DocumentLanguage,
  type Fact,
  type FilledColumn,
  type LabDocument,
  type Row,
  rowOf,
  sumRow,
  type Table,
  tableOf,
} from '../../documents/document';
import { formatted } from '../../documents/formatted';
import { profileNotes } from '../profile/profile-defaults';
import type { FormulaCostDto } from './cost.dto';
import { bothNames, type FormulaText, formulaTexts, phaseIn } from '../formulas.texts';

type CostLine = FormulaCostDto['phases'][number]['ingredients'][number];

const SHOWN_DECIMALS = 4;

const costColumn = (title: string) => ({ title, isNumeric: true, decimals: SHOWN_DECIMALS });

/** The cost of a formula, by line and by phase. */
export function costDocumentOf(cost: FormulaCostDto, language: DocumentLanguage): LabDocument {
  const t = formulaTexts.in(language);
  const costText = (whole: number | null, known: number) => {
    const shown = formatted(known, { decimals: SHOWN_DECIMALS });
    return whole === null ? t('cost.unknown', { known: shown }) : shown;
  };
  return {
    title: t('cost.title', { formula: cost.formulaName, version: cost.versionNumber }),
    fileName: t('cost.file-name', { formula: cost.formulaName, version: cost.versionNumber }),
    facts: [
      [t('formula.cost-per-kg'), costText(cost.costPerKg, cost.knownCostPerKg)],
      ...(cost.currency === null ? [] : [[t('cost.currency'), cost.currency] as const]),
      ...ratesFacts(cost, t),
      [t('cost.batch'), batchText(cost)],
      [t('cost.of-batch'), costText(cost.cost, cost.knownCost)],
      [t('formula.total'), cost.totalPercentage],
      [t('cost.priced'), cost.pricedPercentage],
      ...profileFacts(cost, t),
    ],
    tables: [linesTable(cost, language), phasesTable(cost, language)],
    notes: [
      ...profileNotes(cost.fromProfile, language),
      ...(cost.target?.currencyAssumed
        ? [t('cost.currency-assumed', { currency: cost.target.currency })]
        : []),
      t('cost.prices'),
      t('cost.decimals'),
      ...(cost.costPerKg === null ? [t('cost.incomplete')] : []),
      ...(cost.totalPercentage === 100
        ? []
        : [t('cost.unscaled', { total: formatted(cost.totalPercentage) })]),
    ],
  };
}

/** The exchange rates that costs are made with. */
export function ratesFacts(
  { currency, exchangeRates }: Pick<FormulaCostDto, 'currency' | 'exchangeRates'>,
  t: FormulaText,
): Fact[] {
  const rates = exchangeRates.map((one) => `1 ${one.currency} = ${formatted(one.rate)} ${currency}`);
  return rates.length > 0 ? [[t('cost.rates'), rates.join('; ')]] : [];
}

function profileFacts({ pack, target }: FormulaCostDto, t: FormulaText): Fact[] {
  const facts: Fact[] = [];
  if (pack) facts.push([t('cost.of-pack', { pack: `${formatted(pack.amount)} ${pack.unit}` }), pack.cost]);
  if (target) {
    const { amount, currency, per, result } = target;
    const values = { amount, currency, per: t(`cost.per.${per}`), result: t(`cost.target.${result}`) };
    facts.push([t('cost.target'), t('cost.target-text', values)]);
  }
  return facts;
}

function linesTable(cost: FormulaCostDto, language: DocumentLanguage): Table {
  const t = formulaTexts.in(language);
  const isComplete = cost.costPerKg !== null;
  const sum = t(isComplete ? 'formula.sum' : 'cost.known-sum');
  const batch = t('cost.of', { batch: batchText(cost) });
  const columns: FilledColumn<CostLine & { phase: string }>[] = [
    { title: t('formula.phase'), only: 'files', cell: ({ phase }) => phase },
    {
      ...{ title: t('formula.ingredient'), only: 'page', sum },
      cell: ({ ingredient }) => bothNames(ingredient, language),
    },
    { title: t('formula.inci-name'), only: 'files', sum, cell: ({ ingredient }) => ingredient.inciName },
    { title: t('formula.chinese-name'), only: 'files', cell: ({ ingredient }) => ingredient.chineseName },
    { title: '%', isNumeric: true, sum: cost.totalPercentage, cell: ({ percentage }) => percentage },
    { title: t('cost.price'), isNumeric: true, only: 'page', cell: priceText },
    { title: t('cost.price'), isNumeric: true, only: 'files', cell: ({ unitPrice }) => unitPrice },
    { title: t('cost.unit'), only: 'files', cell: ({ priceUnit }) => priceUnit },
    { ...costColumn(t('formula.cost-per-kg')), sum: cost.knownCostPerKg, cell: ({ costPerKg }) => costPerKg },
    { ...costColumn(batch), sum: cost.knownCost, cell: (line) => line.cost },
    {
      ...{ title: t('cost.reason'), ...(isComplete && { only: 'files' as const }) },
      cell: ({ reason }) => reason && t(`cost.reason.${reason}`),
    },
  ];
  const rows = cost.phases.flatMap(({ name, ingredients }): Row[] => [
    { tone: 'heading', cells: [phaseIn(name, t)] },
    ...ingredients.map((line) => rowOf(columns, { ...line, phase: phaseIn(name, t) })),
  ]);
  return { title: t('cost.by-ingredient'), columns, rows: [...rows, sumRow(columns)] };
}

function phasesTable(cost: FormulaCostDto, language: DocumentLanguage): Table {
  const t = formulaTexts.in(language);
  const batch = t('cost.of', { batch: batchText(cost) });
  const columns: FilledColumn<FormulaCostDto['phases'][number]>[] = [
    { title: t('formula.phase'), cell: ({ name }) => phaseIn(name, t) },
    { title: '%', isNumeric: true, cell: ({ percentage }) => percentage },
    { title: t('cost.priced'), isNumeric: true, cell: ({ pricedPercentage }) => pricedPercentage },
    { ...costColumn(t('formula.cost-per-kg')), cell: ({ costPerKg }) => costPerKg },
    { ...costColumn(batch), cell: (phase) => phase.cost },
  ];
  if (cost.costPerKg === null) {
    columns.push({ ...costColumn(t('cost.known-part')), cell: ({ knownCost }) => knownCost });
  }
  return tableOf(t('cost.by-phase'), columns, cost.phases);
}

const priceText = ({ unitPrice, priceUnit }: CostLine): string | null =>
  unitPrice === null ? null : `${formatted(unitPrice)} / ${priceUnit}`;

const batchText = ({ batch, unit }: FormulaCostDto): string => `${formatted(batch)} ${unit}`;
