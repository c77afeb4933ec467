import Big from 'big.js';
import type { Cell, Column, DocumentLanguage, LabDocument, Row } from '../../documents/document';
import { formatted } from '../../documents/formatted';
import type { BatchSheetDto } from './batch.dto';
import { bothNames, formulaTexts, nameIn } from '../formulas.texts';

type BatchLine = BatchSheetDto['phases'][number]['ingredients'][number];
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
    ],
    handwritten: [t('batch.number'), t('batch.date'), t('batch.equipment'), t('batch.approved-by')],
    tables: [
      { title: t('batch.weighing'), columns: columnsOf(sheet, language), rows: rowsOf(sheet, language) },
    ],
    notes: notesOf(sheet, language),
  };
}

function columnsOf({ step, stepUnit }: BatchSheetDto, language: DocumentLanguage): Column[] {
  const t = formulaTexts.in(language);
  return [
    { title: t('batch.line-number'), isNumeric: true },
    { title: t('formula.phase'), only: 'files' },
    { title: t('formula.ingredient'), only: 'page' },
    { title: t('formula.inci-name'), only: 'files' },
    { title: t('formula.chinese-name'), only: 'files' },
    { title: '%', isNumeric: true },
    { title: t('batch.weight', { unit: stepUnit }), isNumeric: true, decimals: decimalsOf(step) },
    { title: t('batch.notes') },
    { title: t('batch.lot'), isBlank: true },
    { title: t('batch.weighed-by'), isBlank: true },
    { title: t('batch.initials'), isBlank: true },
  ];
}

/** Each phase under its heading, and the sum of all. */
function rowsOf(sheet: BatchSheetDto, language: DocumentLanguage): Row[] {
  const sum = formulaTexts.in(language)('formula.sum');
  let number = 0;
  const rows = sheet.phases.flatMap(({ name, percentage, weightOnBalance, ingredients }): Row[] => {
    const weight = formatted(weightOnBalance, { decimals: decimalsOf(sheet.step) });
    const heading = `${name} · ${formatted(percentage)}% · ${weight} ${sheet.stepUnit}`;
    return [
      { tone: 'heading', cells: [heading] },
      ...ingredients.map((line) => ({ cells: [++number, name, ...cellsOf(line, language)] })),
    ];
  });
  const total = [
    null,
    null,
    sum,
    sum,
    null,
    sheet.totalPercentage,
    sheet.massOnBalance,
    null,
    null,
    null,
    null,
  ];
  return [...rows, { tone: 'sum', cells: total }];
}

const cellsOf = (
  { ingredient, percentage, weightOnBalance, processNotes }: BatchLine,
  language: DocumentLanguage,
): Cell[] => [
  bothNames(ingredient, language),
  ingredient.inciName,
  ingredient.chineseName,
  percentage,
  weightOnBalance,
  processNotes,
  null,
  null,
  null,
];

function notesOf({ totalPercentage, phases }: BatchSheetDto, language: DocumentLanguage): string[] {
  const t = formulaTexts.in(language);
  const tooSmall = phases.flatMap(({ ingredients }) => ingredients.filter(({ belowStep }) => belowStep));
  const names = [...new Set(tooSmall.map((line) => nameIn(line.ingredient, language)))];
  return [
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
