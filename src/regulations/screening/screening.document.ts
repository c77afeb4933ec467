import type { DocumentLanguage, LabDocument, Row, Table } from '../../documents/document';
import { formatted } from '../../documents/formatted';
import { joinItems } from '../../platform/texts/define-texts';
import { formulaTexts, phaseIn } from '../../formulas/formulas.texts';
import { productTypeTexts } from '../../formulas/product-types';
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
        productType
          ? productTypeTexts.in(language)(`product-type.${productType}`)
          : t('screening.no-product-type'),
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
      ...(notExamined.parts.length > 0 ? [partsTable(screening, language)] : []),
      ...(screening.upcoming.length > 0 ? [upcomingTable(screening, language)] : []),
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
  return {
    title: t('screening.table.results'),
    columns: [
      { title: t('screening.column.entry') },
      { title: t('screening.column.result') },
      { title: t('screening.column.substance') },
      { title: t('screening.column.amount'), isNumeric: true },
      { title: t('screening.column.limit'), only: 'page' },
      ...(['limit', 'basis', 'scope', 'conditions'] as const).map((name) => ({
        title: t(`screening.column.${name}`),
        only: 'files' as const,
      })),
      { title: t('screening.column.lines') },
      { title: t('screening.column.notes'), only: 'page' },
      ...(['notes', 'source', 'region', 'edition', 'edition-date', 'product-type'] as const).map((name) => ({
        title: t(`screening.column.${name}`),
        only: 'files' as const,
      })),
    ],
    rows: results.map((result) => {
      const limit = written(result.rows.map(({ limitText, limitPercent }) => limitText ?? limitPercent));
      const basis = written(result.rows.map((row) => row.basis ?? t('screening.basis-is-substance')));
      const scope = written(result.rows.map((row) => row.scope));
      const source = written(result.rows.map((row) => row.source));
      const notes = result.notes.map((note) => t(`screening.note.${note}`)).join('\n');
      return {
        cells: [
          result.rows.length > 0 ? joinItems(entryNames(result.rows), language) : null,
          result.wording,
          substancesOf(result, t),
          result.amount === null ? null : Number(result.amount),
          labelled([
            [null, limit],
            [t('screening.column.basis'), basis],
            [t('screening.column.scope'), scope],
          ]),
          limit,
          basis,
          scope,
          written(result.rows.map(({ conditions }) => conditions)),
          result.substances.map(({ lines }) => originsOf(lines, language)).join('\n'),
          labelled([
            [null, notes],
            [t('screening.column.source'), referencesTo(sources, result.rows)],
          ]),
          notes,
          source,
          result.region.toUpperCase(),
          result.edition,
          result.editionDate,
          result.productType && productTypeTexts.in(language)(`product-type.${result.productType}`),
        ],
        ...(TONES[result.result] ? { tone: TONES[result.result] } : {}),
      };
    }),
  };
}

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
  return {
    title: t('screening.table.unexamined'),
    columns: [
      { title: t('screening.column.substance') },
      { title: t('screening.column.reason') },
      { title: t('screening.column.amount'), isNumeric: true },
      { title: t('screening.column.lines') },
    ],
    rows: notExamined.parts.map(({ inciName, reason, share, lines }) => ({
      cells: [inciName, t(`screening.reason.${reason}`), Number(share), originsOf(lines, language)],
    })),
  };
}

function upcomingTable({ upcoming }: ScreeningDto, language: DocumentLanguage): Table {
  const t = regulationTexts.in(language);
  return {
    title: t('screening.table.upcoming'),
    columns: (['valid-from', 'entry', 'substance', 'limit', 'scope', 'conditions', 'source'] as const).map(
      (name) => ({ title: t(`screening.column.${name}`) }),
    ),
    rows: upcoming.map((row) => ({
      cells: [
        row.validFrom,
        joinItems(entryNames([row]), language),
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
