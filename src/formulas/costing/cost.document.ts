import type { Cell, Column, DocumentLanguage, LabDocument, Row, Table } from '../../documents/document';
import { formatted } from '../../documents/formatted';
import type { FormulaCostDto } from './cost.dto';
import { bothNames, formulaTexts } from '../formulas.texts';

type CostLine = FormulaCostDto['phases'][number]['ingredients'][number];

/** Decimals of costs on the page. */
const SHOWN_DECIMALS = 4;

const costColumn = (title: string): Column => ({ title, isNumeric: true, decimals: SHOWN_DECIMALS });

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
      [t('cost.batch'), batchText(cost)],
      [t('cost.of-batch'), costText(cost.cost, cost.knownCost)],
      [t('formula.total'), cost.totalPercentage],
      [t('cost.priced'), cost.pricedPercentage],
    ],
    tables: [linesTable(cost, language), phasesTable(cost, language)],
    notes: [
      t('cost.prices'),
      t('cost.decimals'),
      ...(cost.costPerKg === null ? [t('cost.incomplete')] : []),
      ...(cost.totalPercentage === 100
        ? []
        : [t('cost.unscaled', { total: formatted(cost.totalPercentage) })]),
    ],
  };
}

function linesTable(cost: FormulaCostDto, language: DocumentLanguage): Table {
  const t = formulaTexts.in(language);
  const cellsOf = ({ ingredient, reason, ...line }: CostLine): Cell[] => [
    bothNames(ingredient, language),
    ingredient.inciName,
    ingredient.chineseName,
    line.percentage,
    priceText(line),
    line.unitPrice,
    line.priceUnit,
    line.costPerKg,
    line.cost,
    reason && t(`cost.reason.${reason}`),
  ];
  const rows = cost.phases.flatMap(({ name, ingredients }): Row[] => [
    { tone: 'heading', cells: [name] },
    ...ingredients.map((line) => ({ cells: [name, ...cellsOf(line)] })),
  ]);
  const { totalPercentage, knownCostPerKg, knownCost } = cost;
  const sum = t(cost.costPerKg === null ? 'cost.known-sum' : 'formula.sum');
  return {
    title: t('cost.by-ingredient'),
    columns: [
      { title: t('formula.phase'), only: 'files' },
      { title: t('formula.ingredient'), only: 'page' },
      { title: t('formula.inci-name'), only: 'files' },
      { title: t('formula.chinese-name'), only: 'files' },
      { title: '%', isNumeric: true },
      { title: t('cost.price'), isNumeric: true, only: 'page' },
      { title: t('cost.price'), isNumeric: true, only: 'files' },
      { title: t('cost.unit'), only: 'files' },
      costColumn(t('formula.cost-per-kg')),
      costColumn(t('cost.of', { batch: batchText(cost) })),
      { title: t('cost.reason'), ...(cost.costPerKg === null ? {} : { only: 'files' }) },
    ],
    rows: [
      ...rows,
      {
        tone: 'sum',
        cells: [null, sum, sum, null, totalPercentage, null, null, null, knownCostPerKg, knownCost, null],
      },
    ],
  };
}

function phasesTable(cost: FormulaCostDto, language: DocumentLanguage): Table {
  const t = formulaTexts.in(language);
  return {
    title: t('cost.by-phase'),
    columns: [
      { title: t('formula.phase') },
      { title: '%', isNumeric: true },
      { title: t('cost.priced'), isNumeric: true },
      costColumn(t('formula.cost-per-kg')),
      costColumn(t('cost.of', { batch: batchText(cost) })),
      ...(cost.costPerKg === null ? [costColumn(t('cost.known-part'))] : []),
    ],
    rows: cost.phases.map((phase) => ({
      cells: [
        phase.name,
        phase.percentage,
        phase.pricedPercentage,
        phase.costPerKg,
        phase.cost,
        ...(cost.costPerKg === null ? [phase.knownCost] : []),
      ],
    })),
  };
}

const priceText = ({ unitPrice, priceUnit }: Omit<CostLine, 'ingredient' | 'reason'>): string | null =>
  unitPrice === null ? null : `${formatted(unitPrice)} / ${priceUnit}`;

const batchText = ({ batch, unit }: FormulaCostDto): string => `${formatted(batch)} ${unit}`;
