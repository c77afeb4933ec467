import { Module } from '@nestjs/common';
import { ColorModule } from '../../color/color.module';
import { FormulasModule } from '../../formulas/formulas.module';
import { IngredientsModule } from '../../ingredients/ingredients.module';
import { ExportService } from './export/export.service';
import { ExportsController } from './export/exports.controller';
import { FormulaExportService } from './export/formula-export.service';
import { SendsFiles } from './export/sends-files';
import { FilesRepository } from './files.repository';

/** Formulas, ingredients and colours as files, in and out. */
@Module({
  imports: [FormulasModule, IngredientsModule, ColorModule],
  controllers: [ExportsController],
  providers: [ExportService, FormulaExportService, SendsFiles, FilesRepository],
})
export class FilesModule {}
