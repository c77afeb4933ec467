import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IngredientsModule } from '../ingredients.module';
import { DuplicatesController } from './duplicates/duplicates.controller';
import { DuplicatesRepository } from './duplicates/duplicates.repository';
import { DuplicatesService } from './duplicates/duplicates.service';
import { IngredientNameEntity } from './ingredient-name.entity';
import { OtherNamesController } from './other-names.controller';
import { OtherNamesRepository } from './other-names.repository';
import { OtherNamesService } from './other-names.service';
import { ResolveController } from './resolve.controller';

/** Further names of ingredients, and the ingredients that a name means. */
@Module({
  imports: [TypeOrmModule.forFeature([IngredientNameEntity]), IngredientsModule],
  controllers: [OtherNamesController, ResolveController, DuplicatesController],
  providers: [OtherNamesService, OtherNamesRepository, DuplicatesService, DuplicatesRepository],
  exports: [IngredientsModule],
})
export class NamesModule {}
