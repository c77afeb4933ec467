import type { DocumentLanguage, LabDocument, Table } from '../documents/document';
import { formatted } from '../documents/formatted';
import { productTypeTexts } from '../formulas/product-types';
import { profileNotes } from '../formulas/profile/profile-defaults';
import { labelTexts } from './labels.texts';
import type { RangeDeclarationDto } from './range.dto';

/** The label of a range of shades as a page or file. */
export function rangeDocument(range: RangeDeclarationDto, language: DocumentLanguage): LabDocument {
  const t = labelTexts.in(language);
  const { region, productType, text, isComplete, formulas, entries, differences, problems } = range;
  const title = `${formulas[0]!.formulaName} … ${formulas.at(-1)!.formulaName}`;
  const shades: Table = {
    title: t('range.shades'),
    columns: [
      { title: t('declaration.formula') },
      { title: t('declaration.version') },
      { title: t('range.colorants') },
    ],
    rows: formulas.map(({ formulaName, versionNumber, colorants }) => ({
      cells: [formulaName, versionNumber, colorants.join('\n')],
    })),
  };
  const list: Table = {
    title: t('declaration.entries'),
    columns: [
      { title: t('declaration.position'), isNumeric: true },
      { title: t('declaration.name') },
      { title: t('declaration.inci-name') },
      { title: t('declaration.group') },
      { title: t('declaration.min-percentage'), isNumeric: true },
      { title: t('declaration.max-percentage'), isNumeric: true },
    ],
    rows: entries.map(({ position, name, inciName, group, minPercentage, maxPercentage }) => ({
      cells: [position, name, inciName, t(`declaration.group.${group}`), minPercentage, maxPercentage],
    })),
  };
  const different: Table = {
    title: t('range.differences'),
    columns: [
      { title: t('declaration.inci-name') },
      { title: t('declaration.reason') },
      { title: t('declaration.percentage') },
    ],
    rows: differences.map(({ inciName, kind, shares }) => ({
      cells: [
        inciName,
        t(`range.kind.${kind}`),
        shares
          .map(
            ({ formulaName, percentage }) =>
              `${formulaName}: ${percentage === null ? '–' : formatted(percentage)}`,
          )
          .join('\n'),
      ],
      tone: 'changed' as const,
    })),
  };
  const settle: Table = {
    title: t('declaration.problems'),
    columns: [
      { title: t('declaration.inci-name') },
      { title: t('declaration.message') },
      { title: t('declaration.formula') },
    ],
    rows: problems.map(({ inciName, message, alternatives, formulas: of }) => ({
      cells: [inciName, [message, alternatives.join(' / ')].filter(Boolean).join('\n'), of.join('\n')],
      tone: 'changed' as const,
    })),
  };
  return {
    title: `${title} · ${t('range.title')}`,
    fileName: `${title} ${t('declaration.file-name')} ${region.toUpperCase()}`,
    lead: [t('declaration.text'), text ?? t('range.no-label')],
    facts: [
      [t('declaration.region'), t(`declaration.region.${region}`)],
      [t('declaration.product-type'), productTypeTexts.in(language)(`product-type.${productType}`)],
      [t('declaration.complete'), t(isComplete ? 'declaration.yes' : 'declaration.no')],
    ],
    tables: [
      ...(entries.length > 0 ? [list] : []),
      ...(differences.length > 0 ? [different] : []),
      shades,
      ...(problems.length > 0 ? [settle] : []),
    ],
    notes: [...profileNotes(range.fromProfile, language), t('declaration.basis'), range.closing],
  };
}
