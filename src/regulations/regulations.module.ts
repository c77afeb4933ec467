import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EditionEntity, LimitEntity, LimitKeyEntity } from './editions/limit.entity';
import { RegulationsRepository } from './editions/regulations.repository';
import { RegulationsService } from './editions/regulations.service';
import { FormulasModule } from '../formulas/formulas.module';
import { DocumentsModule } from '../documents/documents.module';
import { LimitEditionsController } from './editions/limit-editions.controller';
import { ScreeningController } from './screening/screening.controller';
import { ScreeningService } from './screening/screening.service';

/** Tables of limits, and formulas compared with them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([EditionEntity, LimitEntity, LimitKeyEntity]),
    FormulasModule,
    DocumentsModule,
  ],
  controllers: [ScreeningController, LimitEditionsController],
  providers: [RegulationsService, RegulationsRepository, ScreeningService],
})
export class RegulationsModule {}
