import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../platform/common/collections';
import { inTurns, turns } from '../../platform/common/in-turns';
import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../../platform/common/current-user';
import type { PhaseDto } from '../formula.dto';
import { BulkWrites, type NewVersion } from '../bulk-writes.service';
import { COMPOSITION_LIMITS, MAX_NAME } from '../formula.fields';
import { incompleteText, isCompleteSum, totalOf } from '../percentage-sum';
import type { ImportRequest } from '../../files/file-import';
import { type Reason, type RefusedRow, renderReason, type RowFault } from '../../files/import-report';
import { listed } from '../../files/import.texts';
import type { Message } from '../../platform/texts/define-texts';
import { withoutMost } from '../../files/read-import-file';
import { formulaImportText } from './formula-import.texts';
import { CompositionsService } from '../composition/compositions.service';
import { type FormulaFileRow, type FormulaRow } from './formula-row';
import { comparedSums, type SumReading } from './sums';
import {
  compositionKey,
  type FileFormula,
  type FileVersion,
  groupedFormulas,
  phasesOf,
} from './grouped-formulas';
import { contradictingGrams, weighedRow } from './percentages';
import { RowFilterService } from '../../platform/access/row-filter';
import { type FormulaNames, FormulasRepository } from '../formulas.repository';
import { isEnglish } from '../../platform/texts/languages';
import { shortened } from '../../platform/texts/text';
import { NamedIngredientsService } from './named-ingredients.service';
import type { RowIngredient } from './row-ingredient';

/** Number of formulas that are compared with stored ones in one step. */
const COMPARED_TOGETHER = 250;

type PlannedFormula = Omit<FileFormula, 'versions'> & {
  readonly versions: readonly { readonly reason: string | null; readonly phases: PhaseDto[] }[];
};

export interface FormulaPlan {
  readonly creations: PlannedFormula[];
  readonly revisions: NewVersion[];
  unchanged: number;
  readonly refused: RefusedRow[];
  readonly notes: Reason[];
  createdIngredients: number;
}

@Injectable()
export class FormulaPlanService {
  constructor(
    private readonly ingredients: NamedIngredientsService,
    private readonly bulk: BulkWrites,
    private readonly compositions: CompositionsService,
    private readonly stored: FormulasRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  async of(user: CurrentUser, request: ImportRequest<FormulaFileRow>): Promise<FormulaPlan> {
    const { drafts, refused = [], createMissing = false, dryRun = false } = request;
    const plan: FormulaPlan = {
      ...{ creations: [], revisions: [], unchanged: 0, refused: [], notes: [], createdIngredients: 0 },
    };
    const formulas = await withoutTooLarge(await groupedFormulas(drafts), plan);
    const rows: FormulaRow[] = [];
    await inTurns(formulas, ({ versions }) => {
      for (const version of versions) for (const row of version.rows) rows.push(row);
    });
    const { found, created, notes } = await this.ingredients.resolve(user, rows, {
      create: createMissing,
      dryRun,
    });
    for (const note of notes) plan.notes.push(note);
    plan.createdIngredients = created;
    const planned = await plannedFormulas(formulas, found, plan, await linesBeside(drafts, refused));
    const known = await this.bulk.changeable(
      user,
      planned.flatMap(({ id }) => id ?? []),
    );
    const isStored = ({ id }: PlannedFormula) => id !== null && known.has(id);
    await this.compareStored(user, planned.filter(isStored), known, plan, request.source);
    await this.compareOwn(
      user,
      planned.filter((formula) => !isStored(formula)),
      plan,
    );
    return plan;
  }

  /** Plans a new version for formulas with a known id that differ from the stored ones. */
  private async compareStored(
    user: CurrentUser,
    stored: readonly PlannedFormula[],
    known: ReadonlyMap<string, boolean>,
    plan: FormulaPlan,
    source: string | undefined,
  ): Promise<void> {
    const keys = await this.keysOf(
      user,
      stored.map(({ id }) => id!),
    );
    const names = await this.noteUnchanged(user, stored, plan);
    const imported = formulaImportText('formula-import.reason', { file: shortened(source ?? '', MAX_NAME) });
    const reasonOfImport = renderReason(imported, isEnglish() ? 'en' : 'zh').trim();
    await inTurns(stored, async ({ id, versions, lines }) => {
      const { reason, phases } = versions.at(-1)!;
      // An exported file has the reason of the version before.
      const isOwn = reason !== null && reason !== names.get(id!)?.reason?.trim();
      const revision = { id: id!, reason: isOwn ? reason : reasonOfImport, phases };
      if (keys.get(id!) === compositionKey(revision.phases)) plan.unchanged++;
      else {
        const objection = known.get(id!)
          ? await this.bulk.objection('formula.revised', revision)
          : formulaImportText('formula-import.not-allowed');
        if (objection === undefined) plan.revisions.push(revision);
        else refuse(plan, refusedFormula(lines, objection));
      }
    });
  }

  /** Notes how many stored formulas the file calls otherwise: an import changes only their phases. */
  private async noteUnchanged(
    user: CurrentUser,
    formulas: readonly PlannedFormula[],
    plan: FormulaPlan,
  ): Promise<Map<string, FormulaNames>> {
    if (formulas.length === 0) return new Map();
    const filter = await this.rowFilters.of(user);
    const stored = await this.stored.findNames(
      filter,
      formulas.map(({ id }) => id!),
    );
    const differs = (written: string | null, known: string | null = null) =>
      written !== null && written !== (known?.trim() ?? '');
    const count = formulas.filter(({ id, name, description, project, profile }) => {
      const known = stored.get(id!);
      return (
        differs(name, known?.name) ||
        differs(description, known?.description) ||
        differs(project, known?.project) ||
        (profile !== null && !isDeepStrictEqual(profile, known?.profile))
      );
    }).length;
    if (count > 0) plan.notes.push(formulaImportText('formula-import.metadata', { count }));
    return stored;
  }

  /** Plans other formulas as new, unless the user has an equal one with the same name. */
  private async compareOwn(
    user: CurrentUser,
    others: readonly PlannedFormula[],
    plan: FormulaPlan,
  ): Promise<void> {
    const own = await this.bulk.ownNamed(user, [...new Set(others.map(({ name }) => name))]);
    const keys = await this.keysOf(
      user,
      own.map(({ id }) => id),
    );
    const idsOf = groupBy(own, ({ name }) => name);
    await inTurns(others, async (formula) => {
      const key = compositionKey(formula.versions.at(-1)!.phases);
      const isThere = (idsOf.get(formula.name) ?? []).some(({ id }) => keys.get(id) === key);
      const objection = isThere ? undefined : await this.objection(formula);
      if (isThere) plan.unchanged++;
      else if (objection === undefined) plan.creations.push(formula);
      else refuse(plan, refusedFormula(formula.lines, objection));
    });
  }

  /** Returns the faults that validators report for a new formula, or for one of its later versions. */
  private async objection({ name, description, versions }: PlannedFormula): Promise<string | undefined> {
    const [first, ...later] = versions;
    let objection = await this.bulk.objection('formula.created', { name, description, ...first! });
    for (const version of later) objection ??= await this.bulk.objection('formula.revised', version);
    return objection;
  }

  private async keysOf(user: CurrentUser, ids: readonly string[]): Promise<Map<string, string>> {
    const keys = new Map<string, string>();
    for (let at = 0; at < ids.length; at += COMPARED_TOGETHER) {
      const references = ids.slice(at, at + COMPARED_TOGETHER).map((formulaId) => ({ formulaId }));
      for (const { formulaId, phases } of await this.compositions.read(user, references)) {
        keys.set(formulaId, compositionKey(phases));
      }
    }
    return keys;
  }
}

/** Refuses formulas with too many lines before their ingredients are looked up. Returns the others. */
async function withoutTooLarge(formulas: readonly FileFormula[], plan: FormulaPlan): Promise<FileFormula[]> {
  const { lines: most } = COMPOSITION_LIMITS;
  const isTooLarge = ({ rows, sums }: FileVersion) => rows.length > most || sums.length > most;
  const others: FileFormula[] = [];
  await inTurns(formulas, (formula) => {
    const { versions, lines } = formula;
    const faults = versions.filter(isTooLarge).map(({ rows }) => [rows[0]!.line, TOO_LARGE] as const);
    if (faults.length > 0) refuse(plan, refusedLines(lines, new Map(faults)));
    else others.push(formula);
  });
  return others;
}

/** Returns the lines of the rows before and after refused ones, to whose formulas these may belong. */
async function linesBeside(
  drafts: readonly FormulaFileRow[],
  refused: readonly RefusedRow[],
): Promise<Set<number>> {
  const lines = new Set<number>();
  const sorted = [...refused].sort((one, two) => one.line - two.line);
  let at = 0;
  await inTurns(sorted, ({ line }) => {
    while (at < drafts.length && drafts[at]!.line < line) at++;
    for (const draft of [drafts[at - 1], drafts[at]]) if (draft) lines.add(draft.line);
  });
  return lines;
}

const TOO_LARGE: RowFault = { reason: formulaImportText('formula-import.too-large', COMPOSITION_LIMITS) };

const CONSEQUENCE = {
  faults: [{ reason: formulaImportText('formula-import.consequence') }],
  isConsequence: true,
};

/** Refuses all rows of a formula. Those without a fault of their own are refused as a consequence. */
const refusedLines = (lines: readonly number[], faults: ReadonlyMap<number, RowFault>): RefusedRow[] =>
  lines.map((line) => {
    const fault = faults.get(line);
    return fault ? { line, faults: [fault] } : { line, ...CONSEQUENCE };
  });

const refusedFormula = (lines: readonly number[], reason: Reason): RefusedRow[] =>
  refusedLines(lines, new Map([[lines[0]!, { reason }]]));

/** One by one, because a formula may have more rows than a call takes arguments. */
function refuse(plan: FormulaPlan, rows: readonly RefusedRow[]): void {
  for (const row of rows) plan.refused.push(row);
}

/** The fault of a formula as such: of its sum, its phases, or its two columns of amounts. */
function formulaFault(rows: readonly FormulaRow[], phases: readonly PhaseDto[]): RowFault | undefined {
  if (phases.length > COMPOSITION_LIMITS.phases) return TOO_LARGE;
  const sum = totalOf(phases);
  if (isCompleteSum(sum)) return undefined;
  const value = sum.toString();
  return { field: rows[0]!.field, value, reason: incompleteText(value) };
}

/**
 * Returns the formulas that can be written. Rows of the others are refused.
 * @param mayBeMissing lines of rows that may be those of a formula with a row that could not be read
 */
async function plannedFormulas(
  formulas: readonly FileFormula[],
  found: ReadonlyMap<number, RowIngredient>,
  plan: FormulaPlan,
  mayBeMissing: ReadonlySet<number>,
): Promise<PlannedFormula[]> {
  const planned: PlannedFormula[] = [];
  const balances: Message[] = [];
  const rounded: Message[] = [];
  const weighed: Message[] = [];
  const turn = turns();
  for (const formula of formulas) {
    const faults = new Map<number, RowFault>();
    let isPlanned = true;
    const versions: PlannedFormula['versions'][number][] = [];
    for (const version of formula.versions) {
      await turn();
      const { sums, reason } = version;
      const read = version.rows.map((row) => weighedRow(row, found.get(row.line)!));
      for (const { row, note, fault } of read) {
        if (fault) faults.set(row.line, fault);
        if (note) weighed.push(note);
      }
      if (read.some(({ row, fault }) => fault && row.milliliters)) continue;
      const rows = read.map(({ row }) => row);
      const reading = phasesOf(rows, (row) => (found.get(row.line) as { id?: string }).id ?? '');
      if ('fault' in reading) {
        const { line, fault } = reading;
        const row = rows.find((one) => one.line === line)!;
        faults.set(line, faults.get(line) ?? { field: row.field, value: row.written, reason: fault });
        continue;
      }
      const { phases, balance } = reading;
      if (balance) balances.push(balance);
      const other = contradictingGrams(rows);
      if (other) faults.set(other.line, faults.get(other.line) ?? other.fault);
      const fault = formulaFault(rows, phases);
      const compared: SumReading[] = fault
        ? [{ line: rows[0]!.line, fault }]
        : comparedSums(rows, reading.amounts, reading.unit, sums);
      const isWrong = compared.some((one) => one.fault);
      if (isWrong && formula.lines.some((own) => mayBeMissing.has(own))) isPlanned = false;
      else {
        for (const one of compared) {
          if (one.note) rounded.push(one.note);
          if (one.fault) faults.set(one.line, faults.get(one.line) ?? one.fault);
        }
      }
      versions.push({ reason, phases });
    }
    if (isPlanned && faults.size === 0) planned.push({ ...formula, versions });
    else refuse(plan, refusedLines(formula.lines, faults));
  }
  for (const notes of [weighed, rounded]) for (const note of withoutMost(notes)) plan.notes.push(note);
  if (balances.length > 0) {
    plan.notes.push(formulaImportText('formula-import.balances', { rows: listed(balances) }));
  }
  return planned;
}
