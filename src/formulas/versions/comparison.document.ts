import type { Cell, DocumentLanguage, LabDocument, Row, Table } from '../../documents/document';
import { type FormulaText, formulaTexts } from '../formulas.texts';
import { differenceOf } from './comparison/compare';
import type {
  ComparedVersionDto,
  ComparisonDto,
  FromTo,
  LineChangeDto,
  PhaseChangeDto,
} from './comparison.dto';

/** The comparison as a page, with both versions side by side. */
export function comparisonDocument(comparison: ComparisonDto, language: DocumentLanguage): LabDocument {
  const t = formulaTexts.in(language);
  const { from, to, cost } = comparison;
  const isSame = comparison.phases.length + comparison.lines.length === 0;
  return {
    title: t('comparison.title'),
    fileName: `${from.formulaName} V${from.versionNumber}-V${to.versionNumber}`,
    facts: [
      [t('comparison.earlier'), versionText(from, t)],
      [t('comparison.later'), versionText(to, t)],
    ],
    tables: [
      linesTable(comparison.lines, t),
      ...(comparison.phases.length > 0 ? [phasesTable(comparison.phases, t)] : []),
      sumsTable(comparison, t),
    ],
    notes: [
      ...(isSame ? [t('comparison.no-difference')] : []),
      t('comparison.current-prices'),
      ...(cost.difference === null ? [t('comparison.incomplete-prices')] : []),
    ],
  };
}

const versionText = ({ formulaName, versionNumber, createdAt }: ComparedVersionDto, t: FormulaText): string =>
  t('comparison.version', {
    formula: formulaName,
    version: versionNumber,
    createdAt: createdAt.slice(0, 16).replace('T', ' '),
  });

function linesTable(lines: readonly LineChangeDto[], t: FormulaText): Table {
  return {
    title: t('comparison.lines'),
    columns: [
      { title: t('comparison.change') },
      { title: t('comparison.inci-name') },
      { title: t('formula.chinese-name') },
      { title: t('comparison.place-before') },
      { title: t('comparison.place-after') },
      { title: t('comparison.percentage-before'), isNumeric: true },
      { title: t('comparison.percentage-after'), isNumeric: true },
      { title: t('comparison.difference'), isNumeric: true },
      { title: t('comparison.notes-before') },
      { title: t('comparison.notes-after') },
    ],
    rows: lines.map((line) => lineRow(line, t)),
  };
}

function lineRow(line: LineChangeDto, t: FormulaText): Row {
  const { change, ingredient, percentage, processNotes } = line;
  return {
    tone: change,
    cells: [
      t(`comparison.change.${change}`),
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
const placeOf = ({ phase, position }: LineChangeDto, side: keyof FromTo<string>): Cell =>
  phase[side] === null ? null : `${phase[side]} · ${position[side]}`;

function phasesTable(phases: readonly PhaseChangeDto[], t: FormulaText): Table {
  return {
    title: t('comparison.phases'),
    columns: [
      { title: t('comparison.change') },
      { title: t('comparison.name-before') },
      { title: t('comparison.name-after') },
      { title: t('comparison.order-before'), isNumeric: true, decimals: 0 },
      { title: t('comparison.order-after'), isNumeric: true, decimals: 0 },
    ],
    rows: phases.map(({ change, name, position }) => ({
      tone: change === 'renamed' ? 'changed' : change === 'reordered' ? 'moved' : change,
      cells: [t(`comparison.change.${change}`), ...sides(name), ...sides(position)],
    })),
  };
}

function sumsTable({ totals, cost }: ComparisonDto, t: FormulaText): Table {
  const { from, to } = cost;
  const row = (title: string, values: FromTo<number>, difference = differenceOf(values)): Row => ({
    cells: [title, ...sides(values), difference],
  });
  return {
    title: t('comparison.sums'),
    columns: [
      { title: t('comparison.item') },
      { title: t('comparison.earlier'), isNumeric: true },
      { title: t('comparison.later'), isNumeric: true },
      { title: t('comparison.difference'), isNumeric: true },
    ],
    rows: [
      row(t('comparison.total'), totals),
      row(t('formula.cost-per-kg'), { from: from.costPerKg, to: to.costPerKg }, cost.difference),
      // The priced lines of both may be different ones: the difference would say nothing.
      row(
        t('comparison.known-cost-per-kg'),
        { from: from.knownCostPerKg, to: to.knownCostPerKg },
        cost.difference,
      ),
      row(t('comparison.priced'), { from: from.pricedPercentage, to: to.pricedPercentage }),
    ],
  };
}

const sides = ({ from, to }: FromTo<string> | FromTo<number>): readonly [from: Cell, to: Cell] => [from, to];
