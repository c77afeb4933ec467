import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../../../common/current-user';
import type { PhaseDto } from '../../../formulas/formula.dto';
import { FormulaTransferService, type NewVersion } from '../../../formulas/transfer/formula-transfer.service';
import type { ImportRequest } from '../../../imports/file-import';
import type { RefusedRow } from '../../../imports/import-report';
import { CompositionsService } from '../../compositions/compositions.service';
import type { FormulaRow } from './formula-row';
import { compositionKey, type FileFormula, groupBy, groupedFormulas, phasesOf } from './grouped-formulas';
import { NamedIngredientsService, type Resolution } from './named-ingredients.service';

const MAX_PHASES = 200;
const MAX_LINES = 1000;

/** Most balance lines in a note. */
const MOST_BALANCES = 10;

/** Number of formulas that are compared with stored ones in one step. */
const COMPARED_TOGETHER = 250;

type PlannedFormula = Omit<FileFormula, 'versions'> & {
  readonly versions: readonly { readonly reason: string | null; readonly phases: PhaseDto[] }[];
};

/** The planned changes of an import of formulas. */
export interface FormulaPlan {
  readonly creations: PlannedFormula[];
  readonly revisions: NewVersion[];
  unchanged: number;
  readonly refused: RefusedRow[];
  readonly notes: string[];
  createdIngredients: number;
}

/** Compares the formulas of a file with the stored ones. */
@Injectable()
export class FormulaPlanService {
  constructor(
    private readonly ingredients: NamedIngredientsService,
    private readonly formulas: FormulaTransferService,
    private readonly compositions: CompositionsService,
  ) {}

  async of(user: CurrentUser, request: ImportRequest<FormulaRow>): Promise<FormulaPlan> {
    const { drafts, createMissing = false, dryRun = false } = request;
    const { found, created, notes } = await this.ingredients.resolve(user, drafts, {
      create: createMissing,
      dryRun,
    });
    const plan: FormulaPlan = {
      ...{ creations: [], revisions: [], unchanged: 0, refused: [], notes, createdIngredients: created },
    };
    const planned = await plannedFormulas(groupedFormulas(drafts), found, plan, (phases) =>
      this.formulas.faultOf(phases),
    );
    const known = await this.formulas.changeable(
      user,
      planned.flatMap(({ id }) => id ?? []),
    );
    const isStored = ({ id }: PlannedFormula) => id !== null && known.has(id);
    await this.compareStored(user, planned.filter(isStored), known, plan);
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
  ): Promise<void> {
    const keys = await this.keysOf(
      user,
      stored.map(({ id }) => id!),
    );
    for await (const { id, versions, lines } of unhurried(stored)) {
      const revision = { id: id!, ...versions.at(-1)! };
      if (keys.get(id!) === keyOf(revision.phases)) plan.unchanged++;
      else {
        const objection = known.get(id!)
          ? await this.formulas.objection('formula.revised', revision)
          : 'is of a formula that you may not change';
        if (objection === undefined) plan.revisions.push(revision);
        else plan.refused.push(...lines.map((line) => ({ line, reason: objection })));
      }
    }
  }

  /** Plans other formulas as new, unless the user has an equal one with the same name. */
  private async compareOwn(
    user: CurrentUser,
    others: readonly PlannedFormula[],
    plan: FormulaPlan,
  ): Promise<void> {
    const own = await this.formulas.ownNamed(user, [...new Set(others.map(({ name }) => name))]);
    const keys = await this.keysOf(
      user,
      own.map(({ id }) => id),
    );
    const idsOf = groupBy(own, ({ name }) => name);
    for await (const formula of unhurried(others)) {
      const key = keyOf(formula.versions.at(-1)!.phases);
      const isThere = (idsOf.get(formula.name) ?? []).some(({ id }) => keys.get(id) === key);
      const objection = isThere ? undefined : await this.objection(formula);
      if (isThere) plan.unchanged++;
      else if (objection === undefined) plan.creations.push(formula);
      else plan.refused.push(...formula.lines.map((line) => ({ line, reason: objection })));
    }
  }

  /** Returns the faults that validators report for a new formula, or for one of its later versions. */
  private async objection({ name, description, versions }: PlannedFormula): Promise<string | undefined> {
    const [first, ...later] = versions;
    let objection = await this.formulas.objection('formula.created', { name, description, ...first! });
    for (const version of later) objection ??= await this.formulas.objection('formula.revised', version);
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

/** Yields the items, and lets other work run after every hundred. */
async function* unhurried<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0;
  for (const item of items) {
    if (count++ % 100 === 0) await setImmediate();
    yield item;
  }
}

const keyOf = (phases: readonly PhaseDto[]): string =>
  compositionKey(phases.map(({ ingredients, ...phase }) => ({ ...phase, lines: ingredients })));

/** Returns the formulas that can be written. Rows of the others are refused. */
async function plannedFormulas(
  formulas: Iterable<FileFormula>,
  found: ReadonlyMap<number, Resolution>,
  plan: FormulaPlan,
  sumFault: (phases: readonly PhaseDto[]) => string | undefined,
): Promise<PlannedFormula[]> {
  const planned: PlannedFormula[] = [];
  const balances: string[] = [];
  for await (const formula of unhurried(formulas)) {
    const faults = new Map<number, string>();
    const versions = formula.versions.map(({ rows, reason }) => {
      for (const row of rows) {
        const resolution = found.get(row.line)!;
        if ('fault' in resolution) faults.set(row.line, resolution.fault);
      }
      const reading = phasesOf(rows, (row) => (found.get(row.line) as { id?: string }).id ?? '');
      if ('fault' in reading) {
        faults.set(reading.line, reading.fault);
        return { reason, phases: [] };
      }
      const { phases, balance } = reading;
      if (balance) balances.push(balance);
      const fault =
        phases.length > MAX_PHASES || rows.length > MAX_LINES
          ? `The formula has more than ${MAX_PHASES} phases or ${MAX_LINES} lines`
          : sumFault(phases);
      if (fault) faults.set(rows[0]!.line, faults.get(rows[0]!.line) ?? fault);
      return { reason, phases };
    });
    if (faults.size === 0) planned.push({ ...formula, versions });
    else {
      for (const line of formula.lines) {
        plan.refused.push({
          line,
          reason: faults.get(line) ?? 'is of a formula that has a fault in another row',
        });
      }
    }
  }
  if (balances.length > 0) {
    const more = balances.length > MOST_BALANCES ? ` and ${balances.length - MOST_BALANCES} more` : '';
    plan.notes.push(`Balance lines: ${balances.slice(0, MOST_BALANCES).join(', ')}${more}`);
  }
  return planned;
}
