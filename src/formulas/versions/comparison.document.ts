import type { Cell, DocumentLanguage, LabDocument, Row, Table } from '../../documents/document';
import type { FromTo, LineChange, PhaseChange } from './comparison/comparison';
import { COMPARISON_WORDS } from './comparison.words';
import { type ComparedVersion, differenceOf, type FormulaComparison } from './formula-comparison';

type Words = (typeof COMPARISON_WORDS)[DocumentLanguage];

/** The comparison as a page, with both versions side by side. */
export function comparisonDocument(comparison: FormulaComparison, language: DocumentLanguage): LabDocument {
  const words = COMPARISON_WORDS[language];
  const { from, to, cost } = comparison;
  const isSame = comparison.phases.length + comparison.lines.length === 0;
  return {
    title: words.title,
    fileName: `${from.formulaName} V${from.versionNumber}-V${to.versionNumber}`,
    facts: [
      [words.earlier, versionText(from, words)],
      [words.later, versionText(to, words)],
    ],
    tables: [
      linesTable(comparison.lines, words),
      ...(comparison.phases.length > 0 ? [phasesTable(comparison.phases, words)] : []),
      sumsTable(comparison, words),
    ],
    notes: [
      ...(isSame ? [words.noDifference] : []),
      words.currentPrices,
      ...(cost.difference === null ? [words.incompletePrices] : []),
    ],
  };
}

const versionText = ({ formulaName, versionNumber, createdAt }: ComparedVersion, words: Words): string =>
  `${formulaName} · ${words.version} ${versionNumber} · ${createdAt.slice(0, 16).replace('T', ' ')} UTC`;

function linesTable(lines: readonly LineChange[], words: Words): Table {
  const [percentageFrom, percentageTo] = words.percentage;
  return {
    title: words.lines,
    columns: [
      { title: words.change },
      { title: words.inciName },
      { title: words.chineseName },
      ...words.place.map((title) => ({ title })),
      { title: percentageFrom, isNumeric: true },
      { title: percentageTo, isNumeric: true },
      { title: words.difference, isNumeric: true },
      ...words.notes.map((title) => ({ title })),
    ],
    rows: lines.map((line) => lineRow(line, words)),
  };
}

function lineRow(line: LineChange, words: Words): Row {
  const { change, ingredient, percentage, processNotes } = line;
  return {
    tone: change,
    cells: [
      words.changes[change],
      ingredient.inciName,
      ingredient.chineseName,
      placeOf(line, 'from'),
      placeOf(line, 'to'),
      ...sides(percentage),
      differenceOf(percentage),
      ...sides(processNotes),
    ],
  };
}

/** The phase, and the number of the line in it. */
const placeOf = ({ phase, position }: LineChange, side: keyof FromTo<string>): Cell =>
  phase[side] === null ? null : `${phase[side]} · ${position[side]}`;

function phasesTable(phases: readonly PhaseChange[], words: Words): Table {
  return {
    title: words.phases,
    columns: [
      { title: words.change },
      ...words.phaseName.map((title) => ({ title })),
      ...words.order.map((title) => ({ title, isNumeric: true, decimals: 0 })),
    ],
    rows: phases.map(({ change, name, position }) => ({
      tone: change === 'renamed' ? 'changed' : change === 'reordered' ? 'moved' : change,
      cells: [words.changes[change], ...sides(name), ...sides(position)],
    })),
  };
}

function sumsTable({ totals, cost }: FormulaComparison, words: Words): Table {
  const { from, to } = cost;
  const row = (title: string, values: FromTo<number>, difference = differenceOf(values)): Row => ({
    cells: [title, ...sides(values), difference],
  });
  return {
    title: words.sums,
    columns: [
      { title: words.item },
      { title: words.earlier, isNumeric: true },
      { title: words.later, isNumeric: true },
      { title: words.difference, isNumeric: true },
    ],
    rows: [
      row(words.total, totals),
      row(words.costPerKg, { from: from.costPerKg, to: to.costPerKg }, cost.difference),
      // The priced lines of both may be different ones: the difference would say nothing.
      row(words.knownCostPerKg, { from: from.knownCostPerKg, to: to.knownCostPerKg }, cost.difference),
      row(words.pricedPercentage, { from: from.pricedPercentage, to: to.pricedPercentage }),
    ],
  };
}

const sides = ({ from, to }: FromTo<string> | FromTo<number>): readonly [from: Cell, to: Cell] => [from, to];
