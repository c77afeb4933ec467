import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module';
import { IngredientsModule } from '../../ingredients/ingredients.module';
import { NamesModule } from '../../ingredients/names/names.module';
import { ProjectsModule } from '../../projects/projects.module';
import { AuthModule } from '../../users/auth.module';
import { FormulasModule } from '../formulas.module';
import { FormulaExportService } from './formula-export.service';
import { FormulaFileService } from './formula-file.service';
import { FormulaFilesRepository } from './formula-files.repository';
import { FormulaFilesController } from './formula-files.controller';
import { FormulaPlanService } from './formula-plan.service';
import { NamedIngredientsService } from './named-ingredients.service';

/** Formulas as files, in and out. */
@Module({
  imports: [AuthModule, FilesModule, FormulasModule, IngredientsModule, NamesModule, ProjectsModule],
  controllers: [FormulaFilesController],
  providers: [
    FormulaExportService,
    FormulaFileService,
    FormulaPlanService,
    NamedIngredientsService,
    FormulaFilesRepository,
  ],
})
export class FormulaFilesModule {}
