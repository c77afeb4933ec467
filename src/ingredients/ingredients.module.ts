import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module';
import { IngredientFilesController } from './ingredient-files.controller';
import { IngredientEntity } from './ingredient.entity';
import { IngredientImportService } from './ingredient-import.service';
import { IngredientsController } from './ingredients.controller';
import { IngredientsRepository } from './ingredients.repository';
import { IngredientsService } from './ingredients.service';
import { IngredientLookupRepository } from './names/ingredient-lookup.repository';
import { OtherNamesRepository } from './names/other-names.repository';
import { IngredientResolver } from './names/ingredient-resolver';
import { DocumentsModule } from '../documents/documents.module';
import { RawMaterialsController } from './raw-materials/raw-materials.controller';
import { RawMaterialsRepository } from './raw-materials/raw-materials.repository';
import { RawMaterialsService } from './raw-materials/raw-materials.service';
import { SubstanceEntity } from './raw-materials/substance.entity';

/** The catalogue, and the substances that its raw materials consist of. */
@Module({
  imports: [DocumentsModule, FilesModule, TypeOrmModule.forFeature([IngredientEntity, SubstanceEntity])],
  controllers: [IngredientsController, IngredientFilesController, RawMaterialsController],
  providers: [
    IngredientsService,
    IngredientsRepository,
    IngredientImportService,
    IngredientResolver,
    IngredientLookupRepository,
    OtherNamesRepository,
    RawMaterialsService,
    RawMaterialsRepository,
  ],
  exports: [
    IngredientsService,
    IngredientsRepository,
    IngredientImportService,
    IngredientResolver,
    RawMaterialsService,
  ],
})
export class IngredientsModule {}
