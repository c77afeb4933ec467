import { type DocumentLanguage, hasRows, type LabDocument, tableOf } from '../documents/document';
import { formatted } from '../documents/formatted';
import { productTypeIn } from '../formulas/formulas.texts';
import { profileNotes } from '../formulas/profile/profile-defaults';
import { problemText } from './declaration.document';
import { labelTexts } from './labels.texts';
import type { RangeDeclarationDto } from './range.dto';

/** The label of a range of shades as a page or file. */
export function rangeDocument(range: RangeDeclarationDto, language: DocumentLanguage): LabDocument {
  const t = labelTexts.in(language);
  const { region, productType, text, isComplete, formulas, entries, differences, problems } = range;
  const title = `${formulas[0]!.formulaName} … ${formulas.at(-1)!.formulaName}`;
  const list = tableOf(
    t('declaration.entries'),
    [
      { title: t('declaration.position'), isNumeric: true, cell: ({ position }) => position },
      { title: t('declaration.name'), cell: ({ name }) => name },
      { title: t('declaration.inci-name'), cell: ({ inciName }) => inciName },
      { title: t('declaration.group'), cell: ({ group }) => t(`declaration.group.${group}`) },
      { title: t('declaration.min-percentage'), isNumeric: true, cell: ({ minPercentage }) => minPercentage },
      { title: t('declaration.max-percentage'), isNumeric: true, cell: ({ maxPercentage }) => maxPercentage },
    ],
    entries,
  );
  const different = tableOf(
    t('range.differences'),
    [
      { title: t('declaration.inci-name'), cell: ({ inciName }) => inciName },
      { title: t('declaration.reason'), cell: ({ kind }) => t(`range.kind.${kind}`) },
      { title: t('declaration.percentage'), cell: ({ shares }) => shares.map(shareText).join('\n') },
    ],
    differences,
    () => 'changed',
  );
  const shades = tableOf(
    t('range.shades'),
    [
      { title: t('declaration.formula'), cell: ({ formulaName }) => formulaName },
      { title: t('declaration.version'), cell: ({ versionNumber }) => versionNumber },
      { title: t('range.colorants'), cell: ({ colorants }) => colorants.join('\n') },
    ],
    formulas,
  );
  const settle = tableOf(
    t('declaration.problems'),
    [
      { title: t('declaration.inci-name'), cell: ({ inciName }) => inciName },
      { title: t('declaration.message'), cell: problemText },
      { title: t('declaration.formula'), cell: (problem) => problem.formulas.join('\n') },
    ],
    problems,
    () => 'changed',
  );
  return {
    title: `${title} · ${t('range.title')}`,
    fileName: `${title} ${t('declaration.file-name')} ${region.toUpperCase()}`,
    lead: [t('declaration.text'), text ?? t('range.no-label')],
    facts: [
      [t('declaration.region'), t(`declaration.region.${region}`)],
      [t('declaration.product-type'), productTypeIn(productType, language)],
      [t('declaration.complete'), t(isComplete ? 'declaration.yes' : 'declaration.no')],
    ],
    tables: [list, different, shades, settle].filter(hasRows),
    notes: [...profileNotes(range.fromProfile, language), t('declaration.basis'), range.closing],
  };
}

const shareText = ({
  formulaName,
  percentage,
}: RangeDeclarationDto['differences'][number]['shares'][number]) =>
  `${formulaName}: ${percentage === null ? '–' : formatted(percentage)}`;
