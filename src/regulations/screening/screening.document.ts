import {
  type Cell,
  type DocumentLanguage,
  hasRows,
  type LabDocument,
  type Row,
  type Table,
  tableOf,
} from '../../documents/document';
import { formatted } from '../../documents/formatted';
import { joinItems } from '../../platform/texts/define-texts';
import { formulaTexts, phaseIn, productTypeIn } from '../../formulas/formulas.texts';
import { profileNotes } from '../../formulas/profile/profile-defaults';
import { regulationTexts } from '../regulations.texts';
import type { ScreenedMixtureDto, ScreeningDto, ScreeningResult } from './screening.dto';
import { entryNames } from './screening.service';

type RegulationText = ReturnType<typeof regulationTexts.in>;
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
  const t = regulationTexts.in(language);
  const { formulaName, versionNumber, region, productType, purpose, edition, notExamined } = screening;
  const { results, resultCount, mixture } = screening;
  const sources = sourcesOf(screening);
  return {
    title: `${formulaName} · ${t('screening.title')}`,
    fileName: `${formulaName} v${versionNumber} ${t('screening.file-name')} ${region.toUpperCase()}`,
    facts: [
      [t('screening.fact.formula'), formulaName],
      [t('screening.fact.version'), versionNumber],
      [t('screening.fact.region'), region.toUpperCase()],
      [
        t('screening.fact.product-type'),
        productType ? productTypeIn(productType, language) : t('screening.no-product-type'),
      ],
      ...(mixture ? [[t('screening.fact.mixture'), mixtureText(mixture, t)] as const] : []),
      ...(purpose ? [[t('screening.fact.purpose'), purpose] as const] : []),
      [t('screening.fact.on'), screening.on],
      [t('screening.fact.edition'), edition?.name ?? t('screening.no-edition')],
      [t('screening.fact.imported'), edition?.importedAt.slice(0, 10) ?? null],
      [t('screening.fact.annexes'), edition && joinItems(edition.annexes, language)],
      ...(notExamined.refusedRows > 0
        ? [[t('screening.fact.refused-rows'), notExamined.refusedRows] as const]
        : []),
      [t('screening.fact.total'), screening.total],
      [t('screening.fact.summary'), screening.summary.wording],
      [t('screening.fact.unmatched'), notExamined.unmatched],
      [t('screening.fact.unknown'), notExamined.unknownPercentage],
    ],
    tables: [
      resultsTable(screening, sources, language),
      ...[partsTable(screening, language), upcomingTable(screening, language)].filter(hasRows),
    ],
    notes: [
      ...profileNotes(screening.fromProfile, language),
      ...(results.length < resultCount
        ? [t('screening.left-out', { shown: results.length, all: resultCount })]
        : []),
      ...(screening.upcoming.length < screening.upcomingCount
        ? [
            t('screening.upcoming-left-out', {
              shown: screening.upcoming.length,
              all: screening.upcomingCount,
            }),
          ]
        : []),
      ...(screening.total === 100 ? [] : [t('screening.unscaled', { total: screening.total })]),
      ...notExamined.refusedEntries.map(({ row, name, message, substances }) =>
        t('screening.refused-entry', { row, name: name ?? '?', message, substances }),
      ),
      ...notExamined.topics.map(({ wording }) => `${t('screening.not-examined')} ${wording}`),
      ...sources.map((source, index) => `[${index + 1}] ${source}`),
      screening.closing,
    ],
  };
}

const mixtureText = ({ name, ratio, versionNumber, basis }: ScreenedMixtureDto, t: RegulationText): string =>
  t(`screening.mixture.${basis}`, { name: name ?? '', ratio, version: versionNumber ?? '' });

function resultsTable(
  { results }: ScreeningDto,
  sources: readonly string[],
  language: DocumentLanguage,
): Table {
  const t = regulationTexts.in(language);
  const limitOf = ({ rows }: Result) =>
    written(rows.map(({ limitText, limitPercent }) => limitText ?? limitPercent));
  const basisOf = ({ rows }: Result) =>
    written(rows.map(({ basis }) => basis ?? t('screening.basis-is-substance')));
  const scopeOf = ({ rows }: Result) => written(rows.map(({ scope }) => scope));
  const notesOf = ({ notes }: Result) => notes.map((note) => t(`screening.note.${note}`)).join('\n');
  const limit = (result: Result) =>
    labelled([
      [null, limitOf(result)],
      [t('screening.column.basis'), basisOf(result)],
      [t('screening.column.scope'), scopeOf(result)],
    ]);
  const notes = (result: Result) =>
    labelled([
      [null, notesOf(result)],
      [t('screening.column.source'), referencesTo(sources, result.rows)],
    ]);
  return tableOf(
    t('screening.table.results'),
    [
      column(t('screening.column.entry'), ({ rows }) =>
        rows.length > 0 ? joinItems(entryNames(rows), language) : null,
      ),
      column(t('screening.column.result'), ({ wording }) => wording),
      column(t('screening.column.substance'), (result) => substancesOf(result, t)),
      { ...column(t('screening.column.amount'), ({ amount }) => amount && Number(amount)), isNumeric: true },
      column(t('screening.column.limit'), limit, 'page'),
      column(t('screening.column.limit'), limitOf, 'files'),
      column(t('screening.column.basis'), basisOf, 'files'),
      column(t('screening.column.scope'), scopeOf, 'files'),
      column(
        t('screening.column.conditions'),
        ({ rows }) => written(rows.map(({ conditions }) => conditions)),
        'files',
      ),
      column(t('screening.column.lines'), ({ substances }) =>
        substances.map(({ lines }) => originsOf(lines, language)).join('\n'),
      ),
      column(t('screening.column.notes'), notes, 'page'),
      column(t('screening.column.notes'), notesOf, 'files'),
      column(t('screening.column.source'), ({ rows }) => written(rows.map(({ source }) => source)), 'files'),
      column(t('screening.column.region'), ({ region }) => region.toUpperCase(), 'files'),
      column(t('screening.column.edition'), ({ edition }) => edition, 'files'),
      column(t('screening.column.edition-date'), ({ editionDate }) => editionDate, 'files'),
      column(
        t('screening.column.product-type'),
        ({ productType }) => productType && productTypeIn(productType, language),
        'files',
      ),
    ],
    results,
    ({ result }) => TONES[result],
  );
}

const column = (title: string, cell: (result: Result) => Cell, only?: 'page' | 'files') => ({
  title,
  cell,
  only,
});

/** The sources of all rows, each once: the page names them by number. */
const sourcesOf = ({ results }: ScreeningDto): string[] => [
  ...new Set(results.flatMap(({ rows }) => rows.flatMap(({ source }) => source ?? []))),
];

const referencesTo = (sources: readonly string[], rows: Result['rows']): string =>
  [
    ...new Set(rows.flatMap(({ source }) => (source === null ? [] : `[${sources.indexOf(source) + 1}]`))),
  ].join(' ');

function partsTable({ notExamined }: ScreeningDto, language: DocumentLanguage): Table {
  const t = regulationTexts.in(language);
  return tableOf(
    t('screening.table.unexamined'),
    [
      { title: t('screening.column.substance'), cell: ({ inciName }) => inciName },
      { title: t('screening.column.reason'), cell: ({ reason }) => t(`screening.reason.${reason}`) },
      { title: t('screening.column.amount'), isNumeric: true, cell: ({ share }) => Number(share) },
      { title: t('screening.column.lines'), cell: ({ lines }) => originsOf(lines, language) },
    ],
    notExamined.parts,
  );
}

function upcomingTable({ upcoming }: ScreeningDto, language: DocumentLanguage): Table {
  const t = regulationTexts.in(language);
  return tableOf(
    t('screening.table.upcoming'),
    [
      { title: t('screening.column.valid-from'), cell: ({ validFrom }) => validFrom },
      { title: t('screening.column.entry'), cell: (row) => joinItems(entryNames([row]), language) },
      { title: t('screening.column.substance'), cell: ({ substances }) => substances.join('\n') },
      { title: t('screening.column.limit'), cell: (row) => row.limitText ?? row.limitPercent },
      { title: t('screening.column.scope'), cell: ({ scope }) => scope },
      { title: t('screening.column.conditions'), cell: ({ conditions }) => conditions },
      { title: t('screening.column.source'), cell: ({ source }) => source },
    ],
    upcoming,
  );
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

const substancesOf = ({ substances }: Result, t: RegulationText): string =>
  substances
    .map(({ inciName, isNano }) => (isNano ? `${inciName} (${t('screening.nano')})` : inciName))
    .join('\n');

/** A line of text for each line of the formula, with what it brings of the substance. */
const originsOf = (lines: Lines, language: DocumentLanguage): string =>
  lines
    .map(({ phase, ingredient, percentage, share }) => {
      const amount = formatted(percentage);
      const name = phaseIn(phase, formulaTexts.in(language));
      return `${name}: ${ingredient.inciName} ${amount}%${amount === share ? '' : ` → ${share}%`}`;
    })
    .join('\n');
