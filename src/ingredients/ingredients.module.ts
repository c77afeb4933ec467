import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CardEntity } from './cards/card.entity';
import { CardsController } from './cards/cards.controller';
import { CardsRepository } from './cards/cards.repository';
import { CardsService } from './cards/cards.service';
import { ExchangeRateEntity } from './exchange-rates/exchange-rate.entity';
import { ExchangeRatesController } from './exchange-rates/exchange-rates.controller';
import { ExchangeRatesRepository } from './exchange-rates/exchange-rates.repository';
import { ExchangeRatesService } from './exchange-rates/exchange-rates.service';
import { FilesModule } from '../files/files.module';
import { IngredientFilesController } from './ingredient-files.controller';
import { IngredientEntity } from './ingredient.entity';
import { IngredientImportService } from './ingredient-import.service';
import { IngredientsController } from './ingredients.controller';
import { IngredientsRepository } from './ingredients.repository';
import { IngredientsService } from './ingredients.service';
import { DuplicatesController } from './names/duplicates/duplicates.controller';
import { DuplicatesRepository } from './names/duplicates/duplicates.repository';
import { DuplicatesService } from './names/duplicates/duplicates.service';
import { IngredientLookupRepository } from './names/ingredient-lookup.repository';
import { IngredientNameEntity } from './names/ingredient-name.entity';
import { IngredientResolver } from './names/ingredient-resolver';
import { OtherNamesController } from './names/other-names.controller';
import { OtherNamesRepository } from './names/other-names.repository';
import { OtherNamesService } from './names/other-names.service';
import { ResolveController } from './names/resolve.controller';
import { DocumentsModule } from '../documents/documents.module';
import { RawMaterialsController } from './raw-materials/raw-materials.controller';
import { RawMaterialsRepository } from './raw-materials/raw-materials.repository';
import { RawMaterialsService } from './raw-materials/raw-materials.service';
import { SubstanceEntity } from './raw-materials/substance.entity';

/** The catalogue: ingredients, their names, and the substances that raw materials consist of. */
@Module({
  imports: [
    DocumentsModule,
    FilesModule,
    TypeOrmModule.forFeature([
      IngredientEntity,
      IngredientNameEntity,
      SubstanceEntity,
      CardEntity,
      ExchangeRateEntity,
    ]),
  ],
  controllers: [
    IngredientsController,
    IngredientFilesController,
    RawMaterialsController,
    CardsController,
    ExchangeRatesController,
    OtherNamesController,
    ResolveController,
    DuplicatesController,
  ],
  providers: [
    IngredientsService,
    IngredientsRepository,
    IngredientImportService,
    IngredientResolver,
    IngredientLookupRepository,
    OtherNamesRepository,
    OtherNamesService,
    DuplicatesService,
    DuplicatesRepository,
    RawMaterialsService,
    RawMaterialsRepository,
    CardsService,
    CardsRepository,
    ExchangeRatesService,
    ExchangeRatesRepository,
  ],
  exports: [
    IngredientsService,
    IngredientsRepository,
    IngredientImportService,
    IngredientResolver,
    RawMaterialsService,
    CardsService,
    ExchangeRatesService,
  ],
})
export class IngredientsModule {}
