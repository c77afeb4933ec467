import type { Cell, Column, DocumentLanguage, LabDocument, Row, Table } from '../../documents/document';
import { formatted } from '../../documents/formatted';
import type { FormulaCostDto } from './cost.dto';
import { COST_WORDS } from './cost.words';
import { bothNames } from './ingredient-names';

type CostLine = FormulaCostDto['phases'][number]['ingredients'][number];

/** Decimals of costs on the page. */
const SHOWN_DECIMALS = 4;

const costColumn = (title: string): Column => ({ title, isNumeric: true, decimals: SHOWN_DECIMALS });

/** The cost of a formula, by line and by phase. */
export function costDocumentOf(cost: FormulaCostDto, language: DocumentLanguage): LabDocument {
  const words = COST_WORDS[language];
  const { facts } = words;
  const costText = (whole: number | null, known: number) => {
    const shown = formatted(known, { decimals: SHOWN_DECIMALS });
    return whole === null ? words.unknown(shown) : shown;
  };
  return {
    title: words.title(cost.formulaName, cost.versionNumber),
    fileName: words.fileName(cost.formulaName, cost.versionNumber),
    facts: [
      [facts.costPerKg, costText(cost.costPerKg, cost.knownCostPerKg)],
      [facts.batch, batchText(cost)],
      [facts.cost, costText(cost.cost, cost.knownCost)],
      [facts.total, cost.totalPercentage],
      [facts.priced, cost.pricedPercentage],
    ],
    tables: [linesTable(cost, language), phasesTable(cost, language)],
    notes: [
      words.notes.prices,
      words.notes.decimals,
      ...(cost.costPerKg === null ? [words.notes.incomplete] : []),
      ...(cost.totalPercentage === 100 ? [] : [words.unscaled(formatted(cost.totalPercentage))]),
    ],
  };
}

function linesTable(cost: FormulaCostDto, language: DocumentLanguage): Table {
  const { tables, columns, reasons, ...words } = COST_WORDS[language];
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
    reason && reasons[reason],
  ];
  const rows = cost.phases.flatMap(({ name, ingredients }): Row[] => [
    { tone: 'heading', cells: [name] },
    ...ingredients.map((line) => ({ cells: [name, ...cellsOf(line)] })),
  ]);
  const { totalPercentage, knownCostPerKg, knownCost } = cost;
  const sum = cost.costPerKg === null ? words.knownSum : words.sum;
  return {
    title: tables.lines,
    columns: [
      { title: columns.phase, only: 'files' },
      { title: columns.ingredient, only: 'page' },
      { title: columns.inciName, only: 'files' },
      { title: columns.chineseName, only: 'files' },
      { title: columns.percentage, isNumeric: true },
      { title: columns.pricePerUnit, isNumeric: true, only: 'page' },
      { title: columns.price, isNumeric: true, only: 'files' },
      { title: columns.unit, only: 'files' },
      costColumn(columns.costPerKg),
      costColumn(words.cost(batchText(cost))),
      { title: columns.reason, ...(cost.costPerKg === null ? {} : { only: 'files' }) },
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
  const { tables, columns, ...words } = COST_WORDS[language];
  return {
    title: tables.phases,
    columns: [
      { title: columns.phase },
      { title: columns.percentage, isNumeric: true },
      { title: columns.priced, isNumeric: true },
      costColumn(columns.costPerKg),
      costColumn(words.cost(batchText(cost))),
      ...(cost.costPerKg === null ? [costColumn(columns.knownCost)] : []),
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
