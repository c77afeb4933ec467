import { Module } from '@nestjs/common';
import { FormulasModule } from '../formulas/formulas.module';
import { DocumentsModule } from '../documents/documents.module';
import { LimitEditionsController } from './editions/limit-editions.controller';
import { LimitsModule } from './editions/limits.module';
import { ScreeningController } from './screening.controller';
import { ScreeningService } from './screening.service';

/** Formulas compared with tables of limits. */
@Module({
  imports: [FormulasModule, DocumentsModule, LimitsModule],
  controllers: [ScreeningController, LimitEditionsController],
  providers: [ScreeningService],
})
export class ScreeningModule {}
