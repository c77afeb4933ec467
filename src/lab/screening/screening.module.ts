import { Module } from '@nestjs/common';
import { LimitsModule } from './limits/limits.module';
import { LimitEditionsController } from './limits/limit-editions.controller';

/** Formulas compared with tables of limits. */
@Module({
  imports: [LimitsModule],
  controllers: [LimitEditionsController],
})
export class ScreeningModule {}
