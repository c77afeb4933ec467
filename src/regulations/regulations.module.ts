import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EditionEntity, LimitEntity, LimitKeyEntity } from './editions/limit.entity';
import { RegulationsRepository } from './editions/regulations.repository';
import { RegulationsService } from './editions/regulations.service';
import { FormulasModule } from '../formulas/formulas.module';
import { IngredientsModule } from '../ingredients/ingredients.module';
import { DocumentsModule } from '../documents/documents.module';
import { LimitEditionsController } from './editions/limit-editions.controller';
import { ScreeningController } from './screening/screening.controller';
import { ScreeningService } from './screening/screening.service';
import { SolveController } from './targets/solve.controller';
import { SolveService } from './targets/solve.service';

/** Tables of limits, formulas compared with them, and formulas that reach a target within them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([EditionEntity, LimitEntity, LimitKeyEntity]),
    FormulasModule,
    IngredientsModule,
    DocumentsModule,
  ],
  controllers: [ScreeningController, LimitEditionsController, SolveController],
  providers: [RegulationsService, RegulationsRepository, ScreeningService, SolveService],
})
export class RegulationsModule {}
