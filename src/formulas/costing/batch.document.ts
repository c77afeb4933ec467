import Big from 'big.js';
import type { Cell, Column, DocumentLanguage, LabDocument, Row } from '../../documents/document';
import { formatted } from '../../documents/formatted';
import type { BatchSheetDto } from './batch.dto';
import { BATCH_WORDS } from './batch.words';
import { bothNames, nameIn } from './ingredient-names';

type BatchLine = BatchSheetDto['phases'][number]['ingredients'][number];
type RoundingError = BatchSheetDto['largestError'];

/** The sheet to weigh a batch by. Weights are in the unit of the balance, with its decimals. */
export function batchDocumentOf(sheet: BatchSheetDto, language: DocumentLanguage): LabDocument {
  const words = BATCH_WORDS[language];
  const { facts } = words;
  const mass = `${formatted(sheet.mass)} ${sheet.unit}`;
  return {
    title: words.title(sheet.formulaName, sheet.versionNumber),
    fileName: words.fileName(sheet.formulaName, sheet.versionNumber, mass.replace(' ', '')),
    facts: [
      [facts.mass, mass],
      [facts.step, `${formatted(sheet.step)} ${sheet.stepUnit}`],
      [facts.total, sheet.totalPercentage],
      [facts.largestError, errorText(sheet, sheet.largestError, language)],
      [facts.largestErrorOfLine, errorText(sheet, sheet.largestErrorOfLine, language)],
    ],
    handwritten: words.handwritten,
    tables: [{ title: words.table, columns: columnsOf(sheet, language), rows: rowsOf(sheet, language) }],
    notes: notesOf(sheet, language),
  };
}

function columnsOf({ step, stepUnit }: BatchSheetDto, language: DocumentLanguage): Column[] {
  const { columns, weight } = BATCH_WORDS[language];
  return [
    { title: columns.number, isNumeric: true },
    { title: columns.phase, only: 'files' },
    { title: columns.ingredient, only: 'page' },
    { title: columns.inciName, only: 'files' },
    { title: columns.chineseName, only: 'files' },
    { title: columns.percentage, isNumeric: true },
    { title: weight(stepUnit), isNumeric: true, decimals: decimalsOf(step) },
    { title: columns.notes },
    { title: columns.lot, isBlank: true },
    { title: columns.weighedBy, isBlank: true },
    { title: columns.initials, isBlank: true },
  ];
}

/** Each phase under its heading, and the sum of all. */
function rowsOf(sheet: BatchSheetDto, language: DocumentLanguage): Row[] {
  const { sum } = BATCH_WORDS[language];
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
  const words = BATCH_WORDS[language];
  const tooSmall = phases.flatMap(({ ingredients }) => ingredients.filter(({ belowStep }) => belowStep));
  const names = [...new Set(tooSmall.map((line) => nameIn(line.ingredient, language)))];
  return [
    words.rounded,
    ...(totalPercentage === 100 ? [] : [words.scaled(formatted(totalPercentage))]),
    ...(names.length === 0 ? [] : [words.belowStep(names)]),
  ];
}

function errorText(sheet: BatchSheetDto, rounding: RoundingError, language: DocumentLanguage): string {
  const { lineId, error, percentOfLine } = rounding;
  const lines = sheet.phases.flatMap(({ ingredients }) => ingredients);
  const line = lines.find(({ id }) => id === lineId)!;
  const { error: words } = BATCH_WORDS[language];
  return words(formatted(error), sheet.stepUnit, formatted(percentOfLine), nameIn(line.ingredient, language));
}

/** Decimals that the balance shows. */
const decimalsOf = (step: number): number => {
  const { c: digits, e: exponent } = new Big(step);
  return Math.max(0, digits.length - 1 - exponent);
};
