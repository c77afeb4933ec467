import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../users/auth.module';
import { ColorModule } from '../colors/color.module';
import { FormulasModule } from '../formulas/formulas.module';
import { IngredientsModule } from '../ingredients/ingredients.module';
import { ProjectsModule } from '../projects/projects.module';
import { CompositionsModule } from '../formulas/composition/compositions.module';
import { NamesModule } from '../ingredients/names/names.module';
import { ExportService } from './export/export.service';
import { ExportsController } from './export/exports.controller';
import { FormulaExportService } from '../formulas/files/formula-export.service';
import { SendsFiles } from './export/sends-files';
import { FilesRepository } from '../formulas/files/formula-files.repository';
import { FormulaFileService } from '../formulas/files/formula-file.service';
import { FormulaPlanService } from '../formulas/files/formula-plan.service';
import { NamedIngredientsService } from '../formulas/files/named-ingredients.service';
import { SearchedNamesService } from '../formulas/files/searched-names.service';
import { ImportRefusalEntity } from './import/import-refusal.entity';
import { ImportService } from './import/import.service';
import { ImportsController } from './import/imports.controller';
import { RefusalsRepository } from './import/refusals.repository';

/** Formulas, ingredients and colours as files, in and out. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ImportRefusalEntity]),
    AuthModule,
    FormulasModule,
    IngredientsModule,
    ColorModule,
    ProjectsModule,
    CompositionsModule,
    NamesModule,
  ],
  controllers: [ExportsController, ImportsController],
  providers: [
    ExportService,
    FormulaExportService,
    SendsFiles,
    ImportService,
    RefusalsRepository,
    FormulaFileService,
    FormulaPlanService,
    NamedIngredientsService,
    SearchedNamesService,
    FilesRepository,
  ],
})
export class FilesModule {}
