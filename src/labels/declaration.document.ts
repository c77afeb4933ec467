import type { DocumentLanguage, LabDocument, Table } from '../documents/document';
import { formatted } from '../documents/formatted';
import type { DeclarationDto } from './declaration.dto';
import { DECLARATION_WORDS } from './declaration.words';

type Words = (typeof DECLARATION_WORDS)[DocumentLanguage];

/** The label's list as a page or file. */
export function declarationDocument(declaration: DeclarationDto, language: DocumentLanguage): LabDocument {
  const words = DECLARATION_WORDS[language];
  const { facts, notes } = words;
  const { formulaName, versionNumber, region, productType, heading, text, total, isComplete } = declaration;
  return {
    title: `${formulaName} · ${words.title}`,
    fileName: `${formulaName} v${versionNumber} ${words.fileName} ${region.toUpperCase()}`,
    facts: [
      [facts.formula, formulaName],
      [facts.version, versionNumber],
      [facts.region, words.regions[region]],
      [facts.productType, words.productTypes[productType]],
      [facts.total, total],
      [facts.complete, isComplete ? words.yes : words.no],
      [facts.heading, heading],
      [facts.text, text],
    ],
    tables: [
      entriesTable(declaration, words),
      ...(declaration.problems.length > 0 ? [problemsTable(declaration, words)] : []),
      ...(declaration.undeclared.length > 0 ? [undeclaredTable(declaration, words)] : []),
    ],
    notes: [notes.basis, ...(hasFragrance(declaration) ? [notes.fragrance] : []), declaration.closing],
  };
}

const hasFragrance = ({ entries }: DeclarationDto) => entries.some(({ kind }) => kind === 'fragrance');

function entriesTable({ entries }: DeclarationDto, { tables, columns, groups }: Words): Table {
  return {
    title: tables.entries,
    columns: [
      { title: columns.position, isNumeric: true },
      { title: columns.name },
      { title: columns.inciName },
      { title: columns.group },
      ...shareColumns(columns),
      { title: columns.countedInFragrance, isNumeric: true },
      { title: columns.lines },
    ],
    rows: entries.map((entry) => ({
      cells: [
        entry.position,
        entry.name,
        entry.inciName,
        groups[entry.group],
        ...shareCells(entry),
        entry.countedInFragrance || null,
        originsOf(entry),
      ],
      ...(entry.name === null ? { tone: 'removed' as const } : {}),
    })),
  };
}

function problemsTable({ problems }: DeclarationDto, { tables, columns }: Words): Table {
  return {
    title: tables.problems,
    columns: [
      { title: columns.inciName },
      { title: columns.message },
      ...shareColumns(columns),
      { title: columns.lines },
    ],
    rows: problems.map((problem) => ({
      cells: [
        problem.inciName,
        [problem.message, problem.alternatives.join(' / ')].filter((text) => text !== '').join('\n'),
        ...shareCells(problem),
        originsOf(problem),
      ],
      tone: 'changed' as const,
    })),
  };
}

function undeclaredTable({ undeclared }: DeclarationDto, { tables, columns, reasons }: Words): Table {
  return {
    title: tables.undeclared,
    columns: [
      { title: columns.inciName },
      { title: columns.reason },
      ...shareColumns(columns),
      { title: columns.lines },
    ],
    rows: undeclared.map((substance) => ({
      cells: [substance.inciName, reasons[substance.reason], ...shareCells(substance), originsOf(substance)],
    })),
  };
}

const shareColumns = ({ percentage, minPercentage, maxPercentage }: Words['columns']) =>
  [percentage, minPercentage, maxPercentage].map((title) => ({ title, isNumeric: true }));

type Shares = Pick<
  DeclarationDto['entries'][number],
  'percentage' | 'minPercentage' | 'maxPercentage' | 'lines'
>;

const shareCells = ({ percentage, minPercentage, maxPercentage }: Shares) => [
  percentage,
  minPercentage,
  maxPercentage,
];

/** A line of text for each line of the formula. */
const originsOf = ({ lines }: Pick<Shares, 'lines'>): string =>
  lines
    .map(({ phase, ingredient, percentage }) => `${phase}: ${ingredient.inciName} ${formatted(percentage)}%`)
    .join('\n');
