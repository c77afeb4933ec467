import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { distinct } from '../../platform/common/collections';
import { FormulasRepository } from '../formulas.repository';
import type { FileCell, Pieces } from '../../files/writing/file-pieces';
import type { FormulaDto, FormulaVersionDto } from '../formula.dto';
import { type ExportedVersion, FormulaFilesRepository } from './formula-files.repository';
import type { FormulaColumn } from './formula-file.words';
import { AccountsService } from '../../users/accounts.service';
import type { CurrentUser } from '../../platform/common/current-user';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { BulkWrites } from '../bulk-writes.service';
import type { ExportFilter, FileImport, ImportRequest } from '../../files/file-import';
import type { ImportReport } from '../../files/import-report';
import { ProjectsService } from '../../projects/projects.service';
import { ProfilesService } from '../profile/profiles.service';
import { formulaImportText } from './formula-import.texts';
import { FormulaPlanService, type FormulaPlan } from './formula-plan.service';
import { type FormulaFileRow, isLine } from './formula-row';

/** Lines of one transaction: others wait for it on the embedded database, half a second. */
const LINES_WRITTEN_TOGETHER = 500;

@Injectable()
export class FormulaFileService implements FileImport<FormulaFileRow> {
  constructor(
    private readonly plans: FormulaPlanService,
    private readonly bulk: BulkWrites,
    private readonly files: FormulaFilesRepository,
    private readonly formulas: FormulasRepository,
    private readonly projects: ProjectsService,
    private readonly profiles: ProfilesService,
    private readonly accounts: AccountsService,
    private readonly transactions: TransactionManager,
  ) {}

  /** The import of a command: with the rights of the user whom the formulas are to belong to. */
  async import(request: ImportRequest<FormulaFileRow>): Promise<ImportReport> {
    const user = await this.accounts.find(request.createdBy ?? '');
    if (!user) throw new Error('New formulas belong to a user: createdBy is missing');
    return this.importFor(user, request);
  }

  async importFor(user: CurrentUser, request: ImportRequest<FormulaFileRow>): Promise<ImportReport> {
    const { refused = [], dryRun = false, skipRefused = false } = request;
    let plan = await this.plans.of(user, { ...request, dryRun: true });
    const hasLines = request.drafts.length === 0 || request.drafts.some(isLine);
    const isWanted = () =>
      !dryRun && hasLines && refused.length === 0 && (skipRefused || plan.refused.length === 0);
    if (isWanted() && plan.createdIngredients > 0) plan = await this.plans.of(user, request);
    const applied = isWanted();
    const notes = [...(request.notes ?? []), ...plan.notes];
    if (refused.length > 0) notes.push(formulaImportText('formula-import.unreadable'));
    const projects = await this.projectsOf(user, plan.creations);
    notes.push(...projects.notes);
    if (applied) await this.write(user, plan, projects.idOf, request.onProgress);
    return {
      rows: request.drafts.length + refused.length,
      created: plan.creations.length,
      updated: plan.revisions.length,
      unchanged: plan.unchanged,
      replaced: [],
      refused: [...refused, ...plan.refused].sort((one, two) => one.line - two.line),
      notes,
      applied,
    };
  }

  /** `{"data":[…]}`: each formula as the contract answers it, with its profile and the chosen versions. */
  async *json(filter: RowFilter, { versions = 'current', projectId }: ExportFilter = {}): Pieces {
    let [open, id] = ['{"data":[', ''];
    for await (const page of this.files.versions(filter, { versions, projectId })) {
      let piece = '';
      for (const { id: next, formula, version } of page) {
        piece += next === id ? ',' : `${open}${formula.slice(0, -1)},"versions":[`;
        piece += version;
        [open, id] = [']},', next];
      }
      yield piece;
    }
    yield id === '' ? '{"data":[]}' : ']}]}';
  }

  /** A record for each line, by column. */
  async *records(
    filter: RowFilter,
    { versions = 'current', projectId }: ExportFilter = {},
  ): AsyncGenerator<Record<FormulaColumn, FileCell>[]> {
    for await (const page of this.files.versions(filter, { versions, projectId })) {
      const lines = page.flatMap(exportedLines);
      const ids = distinct(lines.map(({ ingredientId }) => ingredientId));
      const ingredients = await this.formulas.findIngredients(filter, ids);
      yield lines.map((line) => ({
        ...line,
        supplier: ingredients.get(line.ingredientId)?.supplier ?? null,
      }));
    }
  }

  /**
   * Writes the plan in slices, so that other users do not wait long. If it is interrupted, a repeated import leaves
   * the written formulas unchanged and adds the rest.
   */
  private async write(
    user: CurrentUser,
    { creations, revisions }: FormulaPlan,
    idOf: ProjectId,
    onProgress: ImportRequest['onProgress'],
  ): Promise<void> {
    const total = creations.length + revisions.length;
    let written = 0;
    for (const slice of slicesOf([...creations, ...revisions])) {
      await this.transactions.runLong(() => this.writeSlice(user, slice, idOf));
      onProgress?.('written', (written += slice.length), total);
    }
  }

  /** Writes first versions together, then second ones, and so on. */
  private async writeSlice(
    user: CurrentUser,
    slice: readonly WrittenFormula[],
    idOf: ProjectId,
  ): Promise<void> {
    const creations = slice.filter((formula) => 'versions' in formula);
    const ids = await this.bulk.create(
      user,
      creations.map(({ name, description, project, versions: [first] }) => ({
        ...{ name, description, projectId: idOf(project), reason: first!.reason, phases: first!.phases },
      })),
    );
    for (const [index, { profile }] of creations.entries()) {
      if (profile) await this.profiles.import(user, ids[index]!, profile);
    }
    const revisions = slice.flatMap((formula) => ('versions' in formula ? [] : [formula]));
    await this.bulk.addVersions(user, revisions);
    for (let number = 1; ; number++) {
      const next = creations.flatMap(({ versions }, index) => {
        const version = versions[number];
        return version ? [{ id: ids[index]!, reason: version.reason, phases: version.phases }] : [];
      });
      if (next.length === 0) return;
      await this.bulk.addVersions(user, next);
    }
  }

  /** Projects by their names, where the user sees exactly one of the name. */
  private async projectsOf(user: CurrentUser, creations: FormulaPlan['creations']) {
    const names = new Set(creations.flatMap(({ project }) => project ?? []));
    const listed = names.size > 0 ? (await this.projects.list(user)).parse() : [];
    const ids = new Map<string, string | null>();
    for (const { id, name } of listed) ids.set(name.trim(), ids.has(name.trim()) ? null : id);
    const unknown = [...names].filter((name) => !ids.get(name));
    return {
      idOf: (name: string | null) => (name === null ? null : (ids.get(name) ?? null)),
      notes: unknown.map((name) => formulaImportText('formula-import.unknown-project', { name })),
    };
  }
}

type ProjectId = (name: string | null) => string | null;

type WrittenFormula = FormulaPlan['creations'][number] | FormulaPlan['revisions'][number];

function slicesOf(formulas: readonly WrittenFormula[]): WrittenFormula[][] {
  const slices: WrittenFormula[][] = [];
  let lines = Infinity;
  for (const formula of formulas) {
    const own = lineCountOf(formula);
    if (lines + own > LINES_WRITTEN_TOGETHER) {
      slices.push([]);
      lines = 0;
    }
    slices.at(-1)!.push(formula);
    lines += own;
  }
  return slices;
}

function lineCountOf(formula: WrittenFormula): number {
  const versions = 'versions' in formula ? formula.versions : [formula];
  return versions.flatMap(({ phases }) => phases.flatMap(({ ingredients }) => ingredients)).length;
}

type ExportedLine = Record<Exclude<FormulaColumn, 'supplier'>, FileCell> & { ingredientId: string };

function exportedLines({ id, versionNumber, formula, version }: ExportedVersion): ExportedLine[] {
  const { name, description, project, profile } = JSON.parse(formula) as FormulaDto & {
    profile: object | null;
  };
  const { description: versionDescription, phases } = JSON.parse(version) as FormulaVersionDto;
  return phases.flatMap((phase) =>
    phase.ingredients.map(({ ingredientId, ingredient, percentage, processNotes = null }) => ({
      formulaId: id,
      formula: name,
      project: project?.name ?? null,
      description: description ?? null,
      version: versionNumber,
      versionDescription,
      phase: phase.name,
      phaseOrder: phase.sortOrder,
      ingredientId,
      inciName: ingredient.inciName,
      chineseName: ingredient.chineseName,
      percentage,
      processNotes,
      profile: profile && JSON.stringify(profile),
    })),
  );
}
