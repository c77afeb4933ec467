import { Inject, Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../../platform/access/access-policy';
import { RowFilter, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { violates } from '../../platform/database/pg-errors';
import { WriteValidators } from '../../platform/events/write-validators';
import { EventPublisher, importedChange } from '../../platform/events/event-publisher';
import { entityImport } from '../../files/entity-import';
import { type ImportReport, shortened } from '../../files/import-report';
import type { ImportMatch, ImportRecord, ImportRules } from '../../files/import-plan';
import { plainText } from '../../platform/common/name-forms';
import type { ImportAccess, ImportRequest } from '../../files/file-import';
import { ColorFormulaEntity } from '../color.entity';
import { ColorFormulaFields } from '../color.fields';
import { ColorFormulasRepository, LINKED_FORMULA } from '../color-formulas.repository';
import { unknownFormula } from '../color.service';
import { COLOR_COLUMNS } from './color-columns';
import { colorCells, type ColorDraft, readColorRow } from './color-row';
import { ColorsByName } from './colors-by-name';

const RULES: ImportRules<ColorDraft> = {
  fields: ColorFormulaFields,
  key: ['name'],
  sets: ['name', 'targetLab', 'actualLab', 'deltaE', 'colorantComposition', 'formulaId'],
  kind: 'color',
  owned: true,
  records: 'colours',
  store: 'the stored colours',
  distinguishedBy: 'id',
};

const DESCRIPTION = {
  command: 'colors',
  help: {
    command: 'Colour formulas from a file',
    import: 'Create and update colour formulas from a file; a row is the colour of its id or name',
    export: 'Write the stored colours as a CSV, XLSX or JSON file that import reads',
    file:
      'CSV or XLSX file with a header row: name, L, a, b (CIELAB, D65); measuredL, measuredA, measuredB, ' +
      'deltaE, composition (JSON, or a list like "CI 77491: 2.4; CI 77891: 5.1"), id, formulaId',
  },
  columns: COLOR_COLUMNS,
  readRow: readColorRow,
  exported: COLOR_COLUMNS.map(({ field }) => field),
  jsonPaths: {
    ...{ id: 'id', name: 'name', L: 'targetLab.L', a: 'targetLab.a', b: 'targetLab.b' },
    ...{ measuredL: 'actualLab.L', measuredA: 'actualLab.a', measuredB: 'actualLab.b' },
    ...{ deltaE: 'deltaE', composition: 'colorantComposition', formulaId: 'formulaId' },
  },
  cellsOf: colorCells,
  keyOf: ({ id, name }: Record<string, unknown>) => ({ key: id as string, label: name as string }),
  owned: true,
};

/** Imports colour formulas from a file. */
@Injectable()
export class ColorImportService extends entityImport(ColorFormulaEntity, RULES, DESCRIPTION) {
  @Inject(EventPublisher)
  private readonly events!: EventPublisher;

  /** @throws Error without `createdBy` */
  override async import(request: ImportRequest<ColorDraft>): Promise<ImportReport> {
    if (request.createdBy === undefined)
      throw new Error('New colours belong to a user: createdBy is missing');
    try {
      return await super.import(await this.withReadableLinks(request));
    } catch (error) {
      throw violates(error, LINKED_FORMULA) ? unknownFormula() : error;
    }
  }

  @Inject(AccessPolicy)
  private readonly policy!: AccessPolicy;

  @Inject(RowFilterService)
  private readonly rowFilters!: RowFilterService;

  @Inject(ColorFormulasRepository)
  private readonly colors!: ColorFormulasRepository;

  @Inject(WriteValidators)
  private readonly validators!: WriteValidators;

  protected override rowKey(_: ImportRules<ColorDraft>, { id, name }: ColorDraft): string {
    return id ?? plainText(name);
  }

  protected override async findMatches(
    batch: readonly ColorDraft[],
    rules: ImportRules<ColorDraft>,
    request: ImportRequest<ColorDraft>,
    lines: ReadonlyMap<string, number>,
  ): Promise<ImportMatch[][]> {
    const { access, createdBy } = request;
    const byId = await this.repository.findByIds(
      batch.map(({ id }) => (id ? [id] : [])),
      access?.filter,
    );
    const others = batch.filter((_, index) => byId[index]!.length === 0);
    const names = [...new Map(others.map((draft) => [plainText(draft.name), draft])).values()];
    const byName = await super.findMatches(names, rules, request, lines);
    const colors = new ColorsByName(createdBy!, [...lines.keys(), ...byId.flat().map(({ id }) => id)]);
    names.forEach(({ name }, index) => colors.add(name, byName[index]!));
    return Promise.all(
      batch.map(async (draft, index) => {
        if (byId[index]!.length > 0) return byId[index]!;
        if (draft.id !== undefined) return colors.takeEqual(draft);
        const { own, all } = colors.named(draft.name);
        if (own.length === 1) return own;
        if (!access) return [...all];
        const mayChange = await Promise.all(
          all.map(async (record) => (await access.refusal({}, record)) === undefined),
        );
        return all.filter((_, at) => mayChange[at]);
      }),
    );
  }

  /** Removes links to formulas that do not exist or that the user may not read, and adds a note. */
  private async withReadableLinks(request: ImportRequest<ColorDraft>): Promise<ImportRequest<ColorDraft>> {
    const { drafts, notes = [], access: { filter } = { filter: RowFilter.EVERYTHING } } = request;
    const ids = new Set(drafts.flatMap(({ formulaId }) => formulaId ?? []));
    if (ids.size === 0) return request;
    const readable = await this.colors.readableFormulas(filter, [...ids]);
    const isLost = ({ formulaId }: ColorDraft) => formulaId !== undefined && !readable.has(formulaId);
    const lost = drafts.filter(isLost).map(({ line }) => line);
    if (lost.length === 0) return request;
    return {
      ...request,
      drafts: drafts.map((draft) => (isLost(draft) ? { ...draft, formulaId: undefined } : draft)),
      notes: [
        ...notes,
        `Rows whose formulaId names no formula that you may read are not linked: ${shortened(lost)}`,
      ],
    };
  }

  override async importFor(user: CurrentUser, request: ImportRequest<ColorDraft>): Promise<ImportReport> {
    await requireAllowed(this.policy.canCreate(user, 'color'));
    const filter = await this.rowFilters.of(user);
    const refusal: ImportAccess['refusal'] = async (values, record) => {
      if (!record) return this.validators.objection('color.created', values);
      const { id, createdBy = '' } = record;
      const mayChange = await this.policy.canChange(user, { kind: 'color', id, createdBy });
      return mayChange ? undefined : 'is a colour that you may not change';
    };
    return this.import({ ...request, createdBy: user.id, access: { filter, refusal } });
  }

  protected override created(rows: readonly Record<string, unknown>[], ids: readonly string[]) {
    return this.events.publishAll(
      'color.created',
      ids.map((id, index) => ({ recordId: id, data: { name: rows[index]!.name as string } })),
    );
  }

  protected override updated(changes: readonly ImportRecord[]) {
    return this.events.publishAll('color.updated', changes.map(importedChange));
  }
}
