import type { DocumentLanguage, LabDocument, Row, Table } from '../../documents/document';
import { formatted } from '../../documents/formatted';
import type { ScreeningResult } from './screening-model';
import { PRODUCT_TYPE_WORDS, SCREENING_WORDS } from './screening.words';
import type { ScreeningDto } from './screening.dto';
import { entriesOf } from './screening.service';

type Words = (typeof SCREENING_WORDS)[DocumentLanguage];
type Result = ScreeningDto['results'][number];
type Lines = ScreeningDto['notExamined']['parts'][number]['lines'];

const TONES: Partial<Record<ScreeningResult, NonNullable<Row['tone']>>> = {
  prohibited: 'removed',
  'above-limit': 'removed',
  'cannot-be-judged': 'changed',
  'listed-for-other-uses': 'changed',
  declare: 'moved',
};

/** A screening as a page or file. */
export function screeningDocument(screening: ScreeningDto, language: DocumentLanguage): LabDocument {
  const words = SCREENING_WORDS[language];
  const { facts } = words;
  const { formulaName, versionNumber, region, productType, purpose, edition, notExamined } = screening;
  const { results, resultCount } = screening;
  return {
    title: `${formulaName} · ${words.title}`,
    fileName: `${formulaName} v${versionNumber} ${words.fileName} ${region.toUpperCase()}`,
    facts: [
      [facts.formula, formulaName],
      [facts.version, versionNumber],
      [facts.region, region.toUpperCase()],
      [facts.productType, productType ? PRODUCT_TYPE_WORDS[language][productType] : words.noProductType],
      ...(purpose ? [[facts.purpose, purpose] as const] : []),
      [facts.on, screening.on],
      [facts.edition, edition?.name ?? words.noEdition],
      [facts.imported, edition?.importedAt.slice(0, 10) ?? null],
      [facts.annexes, edition?.annexes.join(words.listSeparator) ?? null],
      ...(notExamined.refusedRows > 0 ? [[facts.refusedRows, notExamined.refusedRows] as const] : []),
      [facts.total, screening.total],
      [facts.summary, screening.summary.wording],
      [facts.unmatched, notExamined.unmatched],
      [facts.unknown, notExamined.unknownPercentage],
    ],
    tables: [
      resultsTable(screening, language),
      ...(notExamined.parts.length > 0 ? [partsTable(screening, words)] : []),
      ...(screening.upcoming.length > 0 ? [upcomingTable(screening, words)] : []),
    ],
    notes: [
      ...(results.length < resultCount ? [words.leftOut(results.length, resultCount)] : []),
      ...(screening.upcoming.length < screening.upcomingCount
        ? [words.upcomingLeftOut(screening.upcoming.length, screening.upcomingCount)]
        : []),
      ...notExamined.topics.map(({ wording }) => `${words.notExamined} ${wording}`),
      screening.closing,
    ],
  };
}

function resultsTable({ results }: ScreeningDto, language: DocumentLanguage): Table {
  const words = SCREENING_WORDS[language];
  const { columns } = words;
  return {
    title: words.tables.results,
    columns: [
      { title: columns.entry },
      { title: columns.result },
      { title: columns.substance },
      { title: columns.amount, isNumeric: true },
      { title: columns.limit, only: 'page' },
      ...(['limit', 'basis', 'scope', 'conditions'] as const).map((name) => ({
        title: columns[name],
        only: 'files' as const,
      })),
      { title: columns.lines },
      { title: columns.notes, only: 'page' },
      ...(['notes', 'source', 'region', 'edition', 'editionDate', 'productType'] as const).map((name) => ({
        title: columns[name],
        only: 'files' as const,
      })),
    ],
    rows: results.map((result) => {
      const limit = written(result.rows.map(({ limitText, limitPercent }) => limitText ?? limitPercent));
      const basis = written(result.rows.map((row) => row.basis ?? words.basisIsSubstance));
      const scope = written(result.rows.map((row) => row.scope));
      const source = written(result.rows.map((row) => row.source));
      const notes = result.notes.map((note) => words.notes[note]).join('\n');
      return {
        cells: [
          result.rows.length > 0 ? entriesOf(result.rows, words.listSeparator) : null,
          result.wording,
          substancesOf(result, words),
          result.amount === null ? null : Number(result.amount),
          labelled([
            [null, limit],
            [columns.basis, basis],
            [columns.scope, scope],
          ]),
          limit,
          basis,
          scope,
          written(result.rows.map(({ conditions }) => conditions)),
          result.substances.map(({ lines }) => originsOf(lines)).join('\n'),
          labelled([
            [null, notes],
            [columns.source, source],
          ]),
          notes,
          source,
          result.region.toUpperCase(),
          result.edition,
          result.editionDate,
          result.productType && PRODUCT_TYPE_WORDS[language][result.productType],
        ],
        ...(TONES[result.result] ? { tone: TONES[result.result] } : {}),
      };
    }),
  };
}

function partsTable({ notExamined }: ScreeningDto, { tables, columns, reasons }: Words): Table {
  return {
    title: tables.unexamined,
    columns: [
      { title: columns.substance },
      { title: columns.reason },
      { title: columns.amount, isNumeric: true },
      { title: columns.lines },
    ],
    rows: notExamined.parts.map(({ inciName, reason, share, lines }) => ({
      cells: [inciName, reasons[reason], Number(share), originsOf(lines)],
    })),
  };
}

function upcomingTable({ upcoming }: ScreeningDto, words: Words): Table {
  const { tables, columns } = words;
  return {
    title: tables.upcoming,
    columns: (['validFrom', 'entry', 'substance', 'limit', 'scope', 'conditions', 'source'] as const).map(
      (name) => ({ title: columns[name] }),
    ),
    rows: upcoming.map((row) => ({
      cells: [
        row.validFrom,
        entriesOf([row], words.listSeparator),
        row.substances.join('\n'),
        row.limitText ?? row.limitPercent,
        row.scope,
        row.conditions,
        row.source,
      ],
    })),
  };
}

/** Each text once, a line of its own. */
const written = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join('\n');

/** A line for each text that is not empty, behind its label. */
const labelled = (texts: readonly (readonly [label: string | null, text: string])[]): string =>
  texts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => (label === null ? text : `${label}: ${text}`))
    .join('\n');

const substancesOf = ({ substances }: Result, { nano }: Words): string =>
  substances.map(({ inciName, isNano }) => (isNano ? `${inciName} (${nano})` : inciName)).join('\n');

/** A line of text for each line of the formula, with what it brings of the substance. */
const originsOf = (lines: Lines): string =>
  lines
    .map(({ phase, ingredient, percentage, share }) => {
      const amount = formatted(percentage);
      return `${phase}: ${ingredient.inciName} ${amount}%${amount === share ? '' : ` → ${share}%`}`;
    })
    .join('\n');
