import {
  type Cell,
  type DocumentLanguage,
  type FilledColumn,
  hasRows,
  type LabDocument,
  type Row,
  type Table,
  tableOf,
} from '../../documents/document';
import { ratesFacts } from '../costing/cost.document';
import { type FormulaText, formulaTexts, phaseIn } from '../formulas.texts';
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
      ...ratesFacts(cost, t),
    ],
    tables: [
      linesTable(comparison.lines, t),
      ...[phasesTable(comparison.phases, t)].filter(hasRows),
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
  const columns: FilledColumn<LineChangeDto>[] = [
    { title: t('comparison.change'), cell: ({ change }) => t(`comparison.change.${change}`) },
    { title: t('comparison.inci-name'), cell: ({ ingredient }) => ingredient.inciName },
    { title: t('formula.chinese-name'), cell: ({ ingredient }) => ingredient.chineseName },
    { title: t('comparison.place-before'), cell: (line) => placeOf(line, 'from', t) },
    { title: t('comparison.place-after'), cell: (line) => placeOf(line, 'to', t) },
    { title: t('comparison.percentage-before'), isNumeric: true, cell: (line) => line.percentage.from },
    { title: t('comparison.percentage-after'), isNumeric: true, cell: (line) => line.percentage.to },
    { title: t('comparison.difference'), isNumeric: true, cell: (line) => differenceOf(line.percentage) },
    { title: t('comparison.notes-before'), cell: (line) => line.processNotes.from },
    { title: t('comparison.notes-after'), cell: (line) => line.processNotes.to },
  ];
  return tableOf(t('comparison.lines'), columns, lines, ({ change }) => change);
}

/** The phase, and the number of the line in it. */
const placeOf = ({ phase, position }: LineChangeDto, side: keyof FromTo<string>, t: FormulaText): Cell =>
  phase[side] === null ? null : `${phaseIn(phase[side], t)} · ${position[side]}`;

function phasesTable(phases: readonly PhaseChangeDto[], t: FormulaText): Table {
  const columns: FilledColumn<PhaseChangeDto>[] = [
    { title: t('comparison.change'), cell: ({ change }) => t(`comparison.change.${change}`) },
    { title: t('comparison.name-before'), cell: ({ name }) => name.from && phaseIn(name.from, t) },
    { title: t('comparison.name-after'), cell: ({ name }) => name.to && phaseIn(name.to, t) },
    {
      title: t('comparison.order-before'),
      isNumeric: true,
      decimals: 0,
      cell: ({ position }) => position.from,
    },
    { title: t('comparison.order-after'), isNumeric: true, decimals: 0, cell: ({ position }) => position.to },
  ];
  const toneOf = ({ change }: PhaseChangeDto) =>
    change === 'renamed' ? 'changed' : change === 'reordered' ? 'moved' : change;
  return tableOf(t('comparison.phases'), columns, phases, toneOf);
}

function sumsTable({ totals, cost }: ComparisonDto, t: FormulaText): Table {
  const { from, to } = cost;
  const row = (title: string, values: FromTo<number>, difference = differenceOf(values)): Row => ({
    cells: [title, values.from, values.to, difference],
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
