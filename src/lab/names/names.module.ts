import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IngredientsModule } from '../../ingredients/ingredients.module';
import { IngredientNameEntity } from './ingredient-name.entity';
import { OtherNamesController } from './other-names.controller';
import { OtherNamesRepository } from './other-names.repository';
import { OtherNamesService } from './other-names.service';
import { ResolveController } from './resolve/resolve.controller';
import { ResolveRepository } from './resolve/resolve.repository';
import { ResolveService } from './resolve/resolve.service';

/** Further names of ingredients, and the ingredients that a name means. */
@Module({
  imports: [TypeOrmModule.forFeature([IngredientNameEntity]), IngredientsModule],
  controllers: [OtherNamesController, ResolveController],
  providers: [OtherNamesService, OtherNamesRepository, ResolveService, ResolveRepository],
})
export class NamesModule {}
