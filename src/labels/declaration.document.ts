import {
  type DocumentLanguage,
  type FilledColumn,
  hasRows,
  type LabDocument,
  type Table,
  tableOf,
} from '../documents/document';
import { formatted } from '../documents/formatted';
import { formulaTexts, phaseIn, productTypeIn } from '../formulas/formulas.texts';
import { profileNotes } from '../formulas/profile/profile-defaults';
import type { DeclarationDto, ListedShareDto } from './declaration.dto';
import { labelTexts } from './labels.texts';

type LabelText = ReturnType<typeof labelTexts.in>;

/** The label's list as a page or file. */
export function declarationDocument(declaration: DeclarationDto, language: DocumentLanguage): LabDocument {
  const t = labelTexts.in(language);
  const { formulaName, versionNumber, region, productType, heading, text, total, isComplete } = declaration;
  return {
    title: `${formulaName} · ${t('declaration.title')}`,
    fileName: `${formulaName} v${versionNumber} ${t('declaration.file-name')} ${region.toUpperCase()}`,
    lead: [t('declaration.text'), text],
    facts: [
      [t('declaration.formula'), formulaName],
      [t('declaration.version'), versionNumber],
      [t('declaration.region'), t(`declaration.region.${region}`)],
      [t('declaration.product-type'), productTypeIn(productType, language)],
      [t('declaration.total'), total],
      [t('declaration.complete'), t(isComplete ? 'declaration.yes' : 'declaration.no')],
      [t('declaration.heading'), heading],
    ],
    tables: [
      entriesTable(declaration, language),
      ...[problemsTable(declaration, language), undeclaredTable(declaration, language)].filter(hasRows),
    ],
    notes: [
      ...profileNotes(declaration.fromProfile, language),
      t('declaration.basis'),
      ...(hasFragrance(declaration) ? [t('declaration.fragrance')] : []),
      declaration.closing,
    ],
  };
}

const hasFragrance = ({ entries }: DeclarationDto) => entries.some(({ kind }) => kind === 'fragrance');

function entriesTable({ entries }: DeclarationDto, language: DocumentLanguage): Table {
  const t = labelTexts.in(language);
  return tableOf(
    t('declaration.entries'),
    [
      { title: t('declaration.position'), isNumeric: true, cell: ({ position }) => position },
      { title: t('declaration.name'), cell: ({ name }) => name },
      { title: t('declaration.inci-name'), cell: ({ inciName }) => inciName },
      { title: t('declaration.group'), cell: ({ group }) => t(`declaration.group.${group}`) },
      ...shareColumns(t),
      {
        ...{ title: t('declaration.counted-in-fragrance'), isNumeric: true },
        cell: ({ countedInFragrance }) => countedInFragrance || null,
      },
      { title: t('declaration.lines'), cell: (entry) => originsOf(entry, language) },
    ],
    entries,
    ({ name }) => (name === null ? 'removed' : undefined),
  );
}

function problemsTable({ problems }: DeclarationDto, language: DocumentLanguage): Table {
  const t = labelTexts.in(language);
  return tableOf(
    t('declaration.problems'),
    [
      { title: t('declaration.inci-name'), cell: ({ inciName }) => inciName },
      { title: t('declaration.message'), cell: problemText },
      ...shareColumns(t),
      { title: t('declaration.lines'), cell: (problem) => originsOf(problem, language) },
    ],
    problems,
    () => 'changed',
  );
}

function undeclaredTable({ undeclared }: DeclarationDto, language: DocumentLanguage): Table {
  const t = labelTexts.in(language);
  return tableOf(
    t('declaration.undeclared'),
    [
      { title: t('declaration.inci-name'), cell: ({ inciName }) => inciName },
      { title: t('declaration.reason'), cell: ({ reason }) => t(`declaration.reason.${reason}`) },
      ...shareColumns(t),
      { title: t('declaration.lines'), cell: (substance) => originsOf(substance, language) },
    ],
    undeclared,
  );
}

/** The message of a problem, and the names between which somebody has to choose. */
export const problemText = ({ message, alternatives }: ProblemText): string =>
  [message, alternatives.join(' / ')].filter(Boolean).join('\n');

type ProblemText = Pick<DeclarationDto['problems'][number], 'message' | 'alternatives'>;
type Shares = Omit<ListedShareDto, 'countedInFragrance'>;

const shareColumns = (t: LabelText): FilledColumn<Shares>[] => [
  { title: t('declaration.percentage'), isNumeric: true, cell: ({ percentage }) => percentage },
  { title: t('declaration.min-percentage'), isNumeric: true, cell: ({ minPercentage }) => minPercentage },
  { title: t('declaration.max-percentage'), isNumeric: true, cell: ({ maxPercentage }) => maxPercentage },
];

/** A line of text for each line of the formula. */
const originsOf = ({ lines }: Pick<Shares, 'lines'>, language: DocumentLanguage): string => {
  const t = formulaTexts.in(language);
  return lines
    .map(
      ({ phase, ingredient, percentage }) =>
        `${phaseIn(phase, t)}: ${ingredient.inciName} ${formatted(percentage)}%`,
    )
    .join('\n');
};
