import { Module } from '@nestjs/common';
import { FormulasModule } from '../formulas.module';
import { IngredientsModule } from '../../ingredients/ingredients.module';
import { CompositionsModule } from '../composition/compositions.module';
import { ReplacementController } from './replacement.controller';
import { ReplacementRepository } from './replacement.repository';
import { ReplacementService } from './replacement.service';

@Module({
  imports: [FormulasModule, IngredientsModule, CompositionsModule],
  controllers: [ReplacementController],
  providers: [ReplacementService, ReplacementRepository],
})
export class ReplacementModule {}
