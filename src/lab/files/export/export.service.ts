import { Injectable } from '@nestjs/common';
import { type Reader, type RowFilter, RowFilterService } from '../../../access/row-filter';
import { ColorImportService } from '../../../color/import/color-import.service';
import { type ExportCursor, type FileImport, fileImportOf } from '../../../imports/file-import';
import type { VersionsQuery } from '../../../formulas/transfer/formula-transfer.service';
import { IngredientImportService } from '../../../ingredients/ingredient-import.service';
import { FORMULA_COLUMNS } from '../formula-columns';
import type { ExportFormat, ExportedKind } from './export.dto';
import { type Cell, csvPieces, jsonPieces, type Pieces, type Rows } from './file-pieces';
import { FormulaExportService } from './formula-export.service';
import { workbookPieces } from './workbook-pieces';

const IMPORTS = { ingredients: IngredientImportService, colors: ColorImportService } as const;

/** Files of all records that a reader may see. */
@Injectable()
export class ExportService {
  constructor(
    private readonly formulas: FormulaExportService,
    private readonly ingredients: IngredientImportService,
    private readonly colors: ColorImportService,
    private readonly rowFilters: RowFilterService,
  ) {}

  pieces(reader: Reader, kind: ExportedKind, format: ExportFormat, query: VersionsQuery): Pieces {
    if (kind === 'formulas') {
      return format === 'json'
        ? this.formulas.json(reader, query)
        : tableOf(format, FORMULA_COLUMNS, this.formulas.rows(reader, query));
    }
    const { exported = [], cellsOf = (record) => record } = fileImportOf(IMPORTS[kind])!;
    const records = this.records(reader, this[kind]);
    if (format === 'json') return jsonPieces(records);
    return tableOf(
      format,
      exported,
      rowsOf(records, (record) => exported.map((name) => cellsOf(record)[name] as Cell)),
    );
  }

  /** Page by page. The records without what only the next page needs. */
  private async *records(reader: Reader, source: FileImport): AsyncGenerator<Record<string, unknown>[]> {
    const filter: RowFilter = await this.rowFilters.of(reader);
    let last: ExportCursor | undefined;
    do {
      const page = (await source.readPage?.(filter, last)) ?? [];
      last = page.at(-1);
      yield page.map(({ sortName: _, ...record }) => record);
    } while (last);
  }
}

const tableOf = (format: ExportFormat, columns: readonly string[], pages: AsyncIterable<Rows>): Pieces =>
  format === 'csv' ? csvPieces(columns, pages) : workbookPieces(columns, pages);

async function* rowsOf(
  pages: AsyncIterable<readonly Record<string, unknown>[]>,
  cells: (record: Record<string, unknown>) => Cell[],
): AsyncGenerator<Rows> {
  for await (const records of pages) yield records.map(cells);
}
