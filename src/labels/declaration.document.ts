import type { DocumentLanguage, LabDocument, Table } from '../documents/document';
import { formatted } from '../documents/formatted';
import { formulaTexts, phaseIn } from '../formulas/formulas.texts';
import { productTypeTexts } from '../formulas/product-types';
import { profileNotes } from '../formulas/profile/profile-defaults';
import type { DeclarationDto } from './declaration.dto';
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
      [t('declaration.product-type'), productTypeTexts.in(language)(`product-type.${productType}`)],
      [t('declaration.total'), total],
      [t('declaration.complete'), t(isComplete ? 'declaration.yes' : 'declaration.no')],
      [t('declaration.heading'), heading],
    ],
    tables: [
      entriesTable(declaration, language),
      ...(declaration.problems.length > 0 ? [problemsTable(declaration, language)] : []),
      ...(declaration.undeclared.length > 0 ? [undeclaredTable(declaration, language)] : []),
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
  return {
    title: t('declaration.entries'),
    columns: [
      { title: t('declaration.position'), isNumeric: true },
      { title: t('declaration.name') },
      { title: t('declaration.inci-name') },
      { title: t('declaration.group') },
      ...shareColumns(t),
      { title: t('declaration.counted-in-fragrance'), isNumeric: true },
      { title: t('declaration.lines') },
    ],
    rows: entries.map((entry) => ({
      cells: [
        entry.position,
        entry.name,
        entry.inciName,
        t(`declaration.group.${entry.group}`),
        ...shareCells(entry),
        entry.countedInFragrance || null,
        originsOf(entry, language),
      ],
      ...(entry.name === null ? { tone: 'removed' as const } : {}),
    })),
  };
}

function problemsTable({ problems }: DeclarationDto, language: DocumentLanguage): Table {
  const t = labelTexts.in(language);
  return {
    title: t('declaration.problems'),
    columns: [
      { title: t('declaration.inci-name') },
      { title: t('declaration.message') },
      ...shareColumns(t),
      { title: t('declaration.lines') },
    ],
    rows: problems.map((problem) => ({
      cells: [
        problem.inciName,
        [problem.message, problem.alternatives.join(' / ')].filter((text) => text !== '').join('\n'),
        ...shareCells(problem),
        originsOf(problem, language),
      ],
      tone: 'changed' as const,
    })),
  };
}

function undeclaredTable({ undeclared }: DeclarationDto, language: DocumentLanguage): Table {
  const t = labelTexts.in(language);
  return {
    title: t('declaration.undeclared'),
    columns: [
      { title: t('declaration.inci-name') },
      { title: t('declaration.reason') },
      ...shareColumns(t),
      { title: t('declaration.lines') },
    ],
    rows: undeclared.map((substance) => ({
      cells: [
        substance.inciName,
        t(`declaration.reason.${substance.reason}`),
        ...shareCells(substance),
        originsOf(substance, language),
      ],
    })),
  };
}

const shareColumns = (t: LabelText) =>
  (['declaration.percentage', 'declaration.min-percentage', 'declaration.max-percentage'] as const).map(
    (code) => ({ title: t(code), isNumeric: true }),
  );

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
const originsOf = ({ lines }: Pick<Shares, 'lines'>, language: DocumentLanguage): string => {
  const t = formulaTexts.in(language);
  return lines
    .map(
      ({ phase, ingredient, percentage }) =>
        `${phaseIn(phase, t)}: ${ingredient.inciName} ${formatted(percentage)}%`,
    )
    .join('\n');
};
