import { Injectable } from '@nestjs/common';
import { type Reader, RowFilterService } from '../../platform/access/row-filter';
import { ColorImportService } from '../../colors/files/color-import.service';
import type { ExportFilter } from '../../files/file-import';
import { exportPieces, type FileFormat } from '../../files/writing/export-pieces';
import type { Pieces } from '../../files/writing/file-pieces';
import { IngredientImportService } from '../../ingredients/ingredient-import.service';
import { FormulaFileService } from '../../formulas/files/formula-file.service';
import type { ExportedKind } from './export.dto';

/** Files of all records that a reader may see. */
@Injectable()
export class ExportService {
  constructor(
    private readonly formulas: FormulaFileService,
    private readonly ingredients: IngredientImportService,
    private readonly colors: ColorImportService,
    private readonly rowFilters: RowFilterService,
  ) {}

  async *pieces(reader: Reader, kind: ExportedKind, format: FileFormat, query?: ExportFilter): Pieces {
    const filter = await this.rowFilters.of(reader);
    yield* exportPieces(this[kind], format, filter, query);
  }
}
