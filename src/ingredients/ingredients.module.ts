import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module';
import { IngredientEntity } from './ingredient.entity';
import { IngredientFilesController } from './ingredient-files.controller';
import { IngredientImportService } from './ingredient-import.service';
import { IngredientsController } from './ingredients.controller';
import { IngredientsRepository } from './ingredients.repository';
import { IngredientsService } from './ingredients.service';

@Module({
  imports: [FilesModule, TypeOrmModule.forFeature([IngredientEntity])],
  controllers: [IngredientsController, IngredientFilesController],
  providers: [IngredientsService, IngredientsRepository, IngredientImportService],
  exports: [IngredientsService, IngredientsRepository, IngredientImportService],
})
export class IngredientsModule {}
