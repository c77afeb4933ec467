import type { Cell, Column, DocumentLanguage, LabDocument, Row, Table } from '../documents/document';
import { formatted } from '../documents/formatted';
import type { FormulaCostDto } from './cost.dto';
import { COST_WORDS } from './cost.words';

type CostLine = FormulaCostDto['phases'][number]['ingredients'][number];

/** Decimals of costs on the page. */
const SHOWN_DECIMALS = 4;

const costColumn = (title: string): Column => ({ title, isNumeric: true, decimals: SHOWN_DECIMALS });

/** What a formula costs, by line and by phase. */
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
    tables: [
      linesTable(cost, language),
      phasesTable(cost, language),
      ...(cost.unpriced.length === 0 ? [] : [unpricedTable(cost, language)]),
    ],
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
    ingredient.inciName,
    ingredient.chineseName,
    line.percentage,
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
      { title: columns.phase, isOnlyInFiles: true },
      { title: columns.inciName },
      { title: columns.chineseName },
      { title: columns.percentage, isNumeric: true },
      { title: columns.price, isNumeric: true },
      { title: columns.unit },
      costColumn(columns.costPerKg),
      costColumn(words.cost(batchText(cost))),
      { title: columns.reason },
    ],
    rows: [
      ...rows,
      {
        tone: 'sum',
        cells: [null, sum, null, totalPercentage, null, null, knownCostPerKg, knownCost, null],
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
    ],
    rows: cost.phases.map((phase) => ({
      cells: [phase.name, phase.percentage, phase.pricedPercentage, phase.costPerKg, phase.cost],
    })),
  };
}

function unpricedTable({ unpriced }: FormulaCostDto, language: DocumentLanguage): Table {
  const { tables, columns, reasons } = COST_WORDS[language];
  return {
    title: tables.unpriced,
    columns: [
      { title: columns.inciName },
      { title: columns.chineseName },
      { title: columns.percentage, isNumeric: true },
      { title: columns.reason },
    ],
    rows: unpriced.map(({ ingredient, percentage, reason }) => ({
      cells: [ingredient.inciName, ingredient.chineseName, percentage, reasons[reason]],
    })),
  };
}

const batchText = ({ batch, unit }: FormulaCostDto): string => `${formatted(batch)} ${unit}`;
