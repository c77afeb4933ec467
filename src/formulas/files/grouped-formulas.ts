import type Big from 'big.js';
import { groupBy } from '../../platform/common/collections';
import { inTurns } from '../../platform/common/in-turns';
import type { ReadPhase } from '../composition/composition';
import type { PhaseDto } from '../formula.dto';
import type { Profile } from '../profile/profile.fields';
import type { Message } from '../../platform/texts/define-texts';
import { formulaImportText } from './formula-import.texts';
import { ONLY_PHASE } from './formula-row.words';
import { type FormulaFileRow, type FormulaRow, isSumRow, type SumRow } from './formula-row';
import { percentagesOf } from './percentages';

/** A version of a formula as a file has it, its rows in order. */
export interface FileVersion {
  readonly number: number | null;
  readonly reason: string | null;
  readonly rows: readonly FormulaRow[];
  readonly sums: readonly SumRow[];
}

export interface FileFormula {
  readonly id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly project: string | null;
  readonly profile: Profile | null;
  /** The earliest first. */
  readonly versions: readonly FileVersion[];
  readonly lines: readonly number[];
}

/** Rows with one id, or without one with one name, are a formula. Sums are of the formula above. */
export async function groupedFormulas(all: readonly FormulaFileRow[]): Promise<FileFormula[]> {
  const formulas = new Map<string, GrowingFormula>();
  let current = undefined as GrowingFormula | undefined;
  let sums: SumRow[] = [];
  await inTurns(all, (row) => {
    if (isSumRow(row)) {
      sums.push(row);
      current?.lines.push(row.line);
      return;
    }
    const { formulaId: id, formula: name, description, project, profile, version: number } = row;
    const key = id ?? `name ${name}`;
    const formula: GrowingFormula = formulas.get(key) ?? {
      id,
      name,
      description,
      project,
      profile,
      versions: new Map(),
      lines: [],
    };
    formulas.set(key, formula);
    formula.lines.push(row.line);
    // Sums above all lines are of the first formula.
    if (!current) for (const { line } of sums) formula.lines.push(line);
    const version: GrowingVersion = formula.versions.get(number) ?? {
      ...{ number, reason: row.versionDescription, rows: [], sums: current ? [] : sums },
    };
    formula.versions.set(number, version);
    version.rows.push(row);
    [current, sums] = [formula, version.sums];
  });
  return inTurns(formulas.values(), ({ versions, ...formula }) => ({
    ...formula,
    versions: [...versions.values()].sort((one, two) => (one.number ?? 0) - (two.number ?? 0)),
  }));
}

type GrowingVersion = FileVersion & { rows: FormulaRow[]; sums: SumRow[] };

type GrowingFormula = Omit<FileFormula, 'versions' | 'lines'> & {
  versions: Map<number | null, GrowingVersion>;
  lines: number[];
};

/** `balance`: the balance line and its share. */
export type VersionReading =
  | { phases: PhaseDto[]; amounts: Big[]; unit: FormulaRow['unit']; balance?: Message }
  | { line: number; fault: Message };

/**
 * The phases of a version. Rows of one phase need not be together. Phases without an order come as they appear.
 * @param ingredientOf the id of a row's ingredient
 */
export function phasesOf(
  rows: readonly FormulaRow[],
  ingredientOf: (row: FormulaRow) => string,
): VersionReading {
  const reading = percentagesOf(rows);
  if ('fault' in reading) return reading;
  const numbered = rows.map((row, index) => ({ row, percentage: reading.percentages[index]! }));
  let phase = ONLY_PHASE;
  for (const each of numbered) each.row = { ...each.row, phase: (phase = each.row.phase ?? phase) };
  const groups = [...groupBy(numbered, ({ row }) => JSON.stringify([row.phaseOrder, row.phase])).values()];
  const at = reading.balance;
  return {
    ...(at !== undefined && {
      balance: formulaImportText('formula-import.balance-row', {
        line: rows[at]!.line,
        share: reading.percentages[at]!,
      }),
    }),
    amounts: reading.amounts,
    unit: reading.unit,
    phases: groups.map((own, index) => ({
      name: own[0]!.row.phase!,
      sortOrder: own[0]!.row.phaseOrder ?? index + 1,
      ingredients: own.map(({ row, percentage }) => ({
        ingredientId: ingredientOf(row),
        percentage,
        processNotes: row.processNotes,
      })),
    })),
  };
}

/** A text that is equal for equal compositions, as far as a file can tell them apart. */
export function compositionKey(phases: readonly ReadPhase[]): string {
  const groups = groupBy(phases, ({ name, sortOrder }) => JSON.stringify([name.trim(), sortOrder]));
  return JSON.stringify(
    [...groups]
      .map(([key, own], at) => ({
        key,
        at,
        order: own[0]!.sortOrder,
        lines: own.flatMap(({ ingredients }) => [...ingredients]),
      }))
      .sort((one, two) => one.order - two.order || one.at - two.at)
      .map(({ key, lines }) => [
        key,
        lines.map(({ ingredientId, percentage, processNotes }) => [
          ingredientId,
          percentage,
          processNotes?.trim() || null,
        ]),
      ]),
  );
}
