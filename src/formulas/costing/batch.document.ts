import Big from 'big.js';
import {
  type DocumentLanguage,
  type Fact,
  type FilledColumn,
  type LabDocument,
  type Row,
  rowOf,
  sumRow,
  type Table,
} from '../../documents/document';
import { formatted } from '../../documents/formatted';
import { profileNotes } from '../profile/profile-defaults';
import type { BatchLineDto as BatchLine, BatchSheetDto } from './batch.dto';
import { bothNames, formulaTexts, nameIn, phaseIn, productTypeIn } from '../formulas.texts';

type RoundingError = BatchSheetDto['largestError'];

/** The sheet to weigh a batch by. Weights are in the unit of the balance, with its decimals. */
export function batchDocumentOf(sheet: BatchSheetDto, language: DocumentLanguage): LabDocument {
  const t = formulaTexts.in(language);
  const mass = `${formatted(sheet.mass)} ${sheet.unit}`;
  return {
    title: t('batch.title', { formula: sheet.formulaName, version: sheet.versionNumber }),
    fileName: t('batch.file-name', {
      formula: sheet.formulaName,
      version: sheet.versionNumber,
      mass: mass.replace(' ', ''),
    }),
    facts: [
      [t('batch.mass'), mass],
      [t('batch.step'), `${formatted(sheet.step)} ${sheet.stepUnit}`],
      [t('formula.total'), sheet.totalPercentage],
      [t('batch.largest-error'), errorText(sheet, sheet.largestError, language)],
      [t('batch.largest-error-of-line'), errorText(sheet, sheet.largestErrorOfLine, language)],
      ...profileFacts(sheet, language),
    ],
    handwritten: [t('batch.number'), t('batch.date'), t('batch.equipment'), t('batch.approved-by')],
    tables: [weighingTable(sheet, language)],
    notes: notesOf(sheet, language),
  };
}

function profileFacts(
  { productType, volume, pack, mixedWith, unit }: BatchSheetDto,
  language: DocumentLanguage,
) {
  const t = formulaTexts.in(language);
  const packs = ({ count, rest }: NonNullable<BatchSheetDto['pack']>) =>
    count === null || rest === null ? t('batch.no-density') : t('batch.packs-text', { count, rest, unit });
  const mixed = ({ name, ratio }: NonNullable<BatchSheetDto['mixedWith']>) =>
    t('batch.mixed-with-text', { name: name ?? t('batch.hidden'), ratio });
  const facts: Fact[] = [
    [t('batch.product-type'), productType && productTypeIn(productType, language)],
    [t('batch.volume'), volume],
    [t('batch.packs', { pack: pack ? `${formatted(pack.amount)} ${pack.unit}` : '' }), pack && packs(pack)],
    [t('batch.mixed-with'), mixedWith && mixed(mixedWith)],
  ];
  return facts.filter(([, value]) => value !== null);
}

/** Each phase under its heading, and the sum of all. */
function weighingTable(sheet: BatchSheetDto, language: DocumentLanguage): Table {
  const t = formulaTexts.in(language);
  const { step, stepUnit } = sheet;
  const sum = t('formula.sum');
  const decimals = decimalsOf(step);
  const blank = (title: string) => ({ title, isBlank: true, cell: () => null });
  /** A weight that the balance shows as 0 is printed as it is. */
  const exactWeight = ({ percentage }: BatchLine) => {
    const exact = new Big(percentage).times(sheet.massOnBalance).div(sheet.totalPercentage);
    return t('batch.finer-balance', { weight: new Big(exact.toPrecision(3)).toFixed() });
  };
  const columns: FilledColumn<BatchLine & { number: number; phase: string }>[] = [
    { title: t('batch.line-number'), isNumeric: true, cell: ({ number }) => number },
    { title: t('formula.phase'), only: 'files', cell: ({ phase }) => phase },
    {
      ...{ title: t('formula.ingredient'), only: 'page', sum },
      cell: ({ ingredient, supplier }) => [bothNames(ingredient, language), ...boughtAs(supplier)].join('\n'),
    },
    { title: t('formula.inci-name'), only: 'files', sum, cell: ({ ingredient }) => ingredient.inciName },
    { title: t('formula.chinese-name'), only: 'files', cell: ({ ingredient }) => ingredient.chineseName },
    { title: t('batch.code'), only: 'files', cell: ({ supplier }) => supplier?.code ?? null },
    { title: t('batch.trade-name'), only: 'files', cell: ({ supplier }) => supplier?.tradeName ?? null },
    { title: t('batch.supplier'), only: 'files', cell: ({ supplier }) => supplier?.name ?? null },
    { title: '%', isNumeric: true, sum: sheet.totalPercentage, cell: ({ percentage }) => percentage },
    {
      ...{
        title: t('batch.weight', { unit: stepUnit }),
        isNumeric: true,
        decimals,
        sum: sheet.massOnBalance,
      },
      cell: (line) => line.weightOnBalance || exactWeight(line),
    },
    { title: t('batch.notes'), cell: ({ processNotes }) => processNotes },
    ...[t('batch.lot'), t('batch.weighed-by'), t('batch.initials')].map(blank),
  ];
  let number = 0;
  const rows = sheet.phases.flatMap(({ name, percentage, weightOnBalance, ingredients }): Row[] => {
    const phase = phaseIn(name, t);
    const weight = formatted(weightOnBalance, { decimals });
    const heading = `${phase} · ${formatted(percentage)}% · ${weight} ${stepUnit}`;
    const lines = ingredients.map((line) => rowOf(columns, { ...line, phase, number: ++number }));
    return [{ tone: 'heading', cells: [heading] }, ...lines];
  });
  return { title: t('batch.weighing'), columns, rows: [...rows, sumRow(columns)] };
}

/** Code and trade name in one line below the names, as far as they are known. */
const boughtAs = (supplier: BatchLine['supplier']): string[] =>
  supplier?.code || supplier?.tradeName
    ? [[supplier.code, supplier.tradeName].filter(Boolean).join(' · ')]
    : [];

function notesOf(
  { totalPercentage, phases, fromProfile }: BatchSheetDto,
  language: DocumentLanguage,
): string[] {
  const t = formulaTexts.in(language);
  const tooSmall = phases.flatMap(({ ingredients }) => ingredients.filter(({ belowStep }) => belowStep));
  const names = [...new Set(tooSmall.map((line) => nameIn(line.ingredient, language)))];
  return [
    ...profileNotes(fromProfile, language),
    t('batch.rounded'),
    ...(totalPercentage === 100 ? [] : [t('batch.scaled', { total: formatted(totalPercentage) })]),
    ...(names.length === 0 ? [] : [t('batch.below-step', { ingredients: names })]),
  ];
}

function errorText(sheet: BatchSheetDto, rounding: RoundingError, language: DocumentLanguage): string {
  const { lineId, error, percentOfLine } = rounding;
  const lines = sheet.phases.flatMap(({ ingredients }) => ingredients);
  const line = lines.find(({ id }) => id === lineId)!;
  return formulaTexts.in(language)('batch.error', {
    error: formatted(error),
    unit: sheet.stepUnit,
    percent: formatted(percentOfLine),
    ingredient: nameIn(line.ingredient, language),
  });
}

/** Decimals that the balance shows. */
const decimalsOf = (step: number): number => {
  const { c: digits, e: exponent } = new Big(step);
  return Math.max(0, digits.length - 1 - exponent);
};
