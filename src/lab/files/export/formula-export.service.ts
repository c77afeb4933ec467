import { Injectable } from '@nestjs/common';
import { type Reader, type RowFilter, RowFilterService } from '../../../access/row-filter';
import {
  type ExportedFormula,
  type ExportedVersion,
  FormulaTransferService,
  type VersionsQuery,
} from '../../../formulas/transfer/formula-transfer.service';
import { FilesRepository } from '../files.repository';
import { FORMULA_COLUMNS, type FormulaColumn } from '../formula-columns';
import type { Cell, Pieces, Rows } from './file-pieces';

/** All formulas that a reader may see, piece by piece. */
@Injectable()
export class FormulaExportService {
  constructor(
    private readonly formulas: FormulaTransferService,
    private readonly files: FilesRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** `{"data":[…]}`: each formula as the contract answers it, with the chosen versions. */
  async *json(reader: Reader, query: VersionsQuery): Pieces {
    let [open, id] = ['{"data":[', ''];
    for await (const page of this.formulas.versions(reader, query)) {
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

  /** The rows of all lines, in the order of `FORMULA_COLUMNS`. */
  async *rows(reader: Reader, query: VersionsQuery): AsyncGenerator<Rows> {
    const filter = await this.rowFilters.of(reader);
    for await (const page of this.formulas.versions(filter, query)) yield this.rowsOf(filter, page);
  }

  private async rowsOf(filter: RowFilter, page: readonly ExportedVersion[]): Promise<Rows> {
    const lines = page.flatMap(linesOf);
    const ids = [...new Set(lines.map(({ ingredientId }) => ingredientId))];
    const suppliers = await this.files.suppliers(filter, ids);
    return lines.map((line) => {
      const row = { ...line, supplier: suppliers.get(line.ingredientId) ?? null };
      return FORMULA_COLUMNS.map((column) => row[column]);
    });
  }
}

type Line = Record<Exclude<FormulaColumn, 'supplier'>, Cell> & { ingredientId: string };

function linesOf({ id, versionNumber, formula, version }: ExportedVersion): Line[] {
  const { name, description, project } = JSON.parse(formula) as ExportedFormula;
  const { description: versionDescription, phases } = JSON.parse(version) as ExportedFormula['versions'][0];
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
    })),
  );
}
