import { Inject, Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../access/access-policy';
import { requireAllowed } from '../../access/require-allowed';
import { RowFilterService } from '../../access/row-filter';
import type { CurrentUser } from '../../common/current-user';
import { WriteValidators } from '../../events/write-validators';
import { EventPublisher, importedChange } from '../../events/event-publisher';
import { entityImport } from '../../imports/entity-import';
import type { ImportReport } from '../../imports/import-report';
import type { ImportRecord, ImportRules } from '../../imports/import-plan';
import type { ImportAccess, ImportRequest } from '../../imports/file-import';
import { ColorFormulaEntity } from '../color-formula.entity';
import { ColorFormulaFields } from '../color-formula.fields';
import { COLOR_COLUMNS } from './color-columns';
import { colorCells, type ColorDraft, readColorRow } from './color-row';

const RULES: ImportRules<ColorDraft> = {
  fields: ColorFormulaFields,
  key: ['name'],
  sets: ['name', 'targetLab', 'actualLab', 'deltaE', 'colorantComposition'],
  kind: 'color',
  owned: true,
  records: 'colours',
  store: 'the stored colours',
};

const DESCRIPTION = {
  command: 'colors',
  help: {
    command: 'Colour formulas from a file',
    import: 'Create and update colour formulas from a file; a row is the colour of its name',
    export: 'Write the stored colours as a CSV, XLSX or JSON file that import reads',
    file:
      'CSV or XLSX file with a header row: name, L, a, b (CIELAB, D65); measuredL, measuredA, measuredB, ' +
      'deltaE, composition (JSON, or a list like "CI 77491: 2.4; CI 77891: 5.1")',
  },
  columns: COLOR_COLUMNS,
  readRow: readColorRow,
  exported: COLOR_COLUMNS.map(({ field }) => field),
  jsonPaths: {
    ...{ name: 'name', L: 'targetLab.L', a: 'targetLab.a', b: 'targetLab.b' },
    ...{ measuredL: 'actualLab.L', measuredA: 'actualLab.a', measuredB: 'actualLab.b' },
    ...{ deltaE: 'deltaE', composition: 'colorantComposition' },
  },
  cellsOf: colorCells,
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
    return super.import(request);
  }

  @Inject(AccessPolicy)
  private readonly policy!: AccessPolicy;

  @Inject(RowFilterService)
  private readonly rowFilters!: RowFilterService;

  @Inject(WriteValidators)
  private readonly validators!: WriteValidators;

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
