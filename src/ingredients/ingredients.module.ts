import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module';
import { IngredientEntity } from './ingredient.entity';
import { IngredientFilesController } from './ingredient-files.controller';
import { IngredientImportService } from './ingredient-import.service';
import { IngredientsController } from './ingredients.controller';
import { IngredientsRepository } from './ingredients.repository';
import { IngredientsService } from './ingredients.service';
import { IngredientLookupRepository } from './names/ingredient-lookup.repository';
import { IngredientResolver } from './names/ingredient-resolver';

@Module({
  imports: [FilesModule, TypeOrmModule.forFeature([IngredientEntity])],
  controllers: [IngredientsController, IngredientFilesController],
  providers: [
    IngredientsService,
    IngredientsRepository,
    IngredientImportService,
    IngredientResolver,
    IngredientLookupRepository,
  ],
  exports: [IngredientsService, IngredientsRepository, IngredientImportService, IngredientResolver],
})
export class IngredientsModule {}
