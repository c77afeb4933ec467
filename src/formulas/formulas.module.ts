import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  FormulaEntity,
  FormulaIngredientEntity,
  FormulaPhaseEntity,
  FormulaProfileEntity,
  FormulaVersionEntity,
} from './formula.entity';
import { BulkWrites } from './bulk-writes.service';
import { BulkWritesRepository } from './bulk-writes.repository';
import { FormulaReferences } from './formula-references';
import { FormulaFileService } from './files/formula-file.service';
import { FormulaFilesController } from './files/formula-files.controller';
import { FormulaFilesRepository } from './files/formula-files.repository';
import { FormulaPlanService } from './files/formula-plan.service';
import { NamedIngredientsService } from './files/named-ingredients.service';
import { FormulasController } from './formulas.controller';
import { FormulasRepository } from './formulas.repository';
import { FormulasService } from './formulas.service';
import { FilesModule } from '../files/files.module';
import { AuthModule } from '../users/auth.module';
import { IngredientsModule } from '../ingredients/ingredients.module';
import { CompositionsRepository } from './composition/compositions.repository';
import { CompositionsService } from './composition/compositions.service';
import { FormulaListController, IngredientListController } from './lists/lists.controller';
import { ListsService } from './lists/lists.service';
import { TrashPurge, TrashService } from './trash/trash.service';
import { TrashController } from './trash/trash.controller';
import { TrashRepository } from './trash/trash.repository';
import { TrashedFormulaEntity, TrashedVersionEntity } from './trash/trash.entity';
import { AnalysisController } from './costing/analysis.controller';
import { ProjectsModule } from '../projects/projects.module';
import { DocumentsModule } from '../documents/documents.module';
import { ProfileController } from './profile/profile.controller';
import { ProfilesRepository } from './profile/profiles.repository';
import { ProfilesService } from './profile/profiles.service';
import { ReplacementController } from './replacement/replacement.controller';
import { ReplacementRepository } from './replacement/replacement.repository';
import { ReplacementService } from './replacement/replacement.service';
import { Solver } from './solver/solver';
import { SubstancesController } from './substances/substances.controller';
import { SubstancesRepository } from './substances/substances.repository';
import { SubstancesService } from './substances/substances.service';
import { VersionsController } from './versions/versions.controller';
import { VersionsService } from './versions/versions.service';

/** Formulas with everything that is done with them: profiles, versions, lists, trash, costs, replacements. */
@Module({
  imports: [
    AuthModule,
    FilesModule,
    IngredientsModule,
    ProjectsModule,
    DocumentsModule,
    TypeOrmModule.forFeature([
      FormulaEntity,
      FormulaVersionEntity,
      FormulaPhaseEntity,
      FormulaIngredientEntity,
      FormulaProfileEntity,
      TrashedFormulaEntity,
      TrashedVersionEntity,
    ]),
  ],
  controllers: [
    FormulasController,
    FormulaFilesController,
    AnalysisController,
    FormulaListController,
    IngredientListController,
    ProfileController,
    ReplacementController,
    SubstancesController,
    TrashController,
    VersionsController,
  ],
  providers: [
    FormulasService,
    FormulasRepository,
    FormulaReferences,
    BulkWrites,
    BulkWritesRepository,
    FormulaFileService,
    FormulaFilesRepository,
    FormulaPlanService,
    NamedIngredientsService,
    CompositionsService,
    CompositionsRepository,
    ListsService,
    ProfilesService,
    ProfilesRepository,
    ReplacementService,
    ReplacementRepository,
    Solver,
    SubstancesService,
    SubstancesRepository,
    TrashService,
    TrashRepository,
    TrashPurge,
    VersionsService,
  ],
  exports: [FormulasService, FormulasRepository, BulkWrites, CompositionsService, ProfilesService, Solver],
})
export class FormulasModule {}
