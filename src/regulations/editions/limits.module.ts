import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EditionEntity } from './edition.entity';
import { LimitEntity, LimitKeyEntity } from './limit.entity';
import { LimitsRepository } from './limits.repository';
import { LimitsService } from './limits.service';

/** Tables of limits. */
@Module({
  imports: [TypeOrmModule.forFeature([EditionEntity, LimitEntity, LimitKeyEntity])],
  providers: [LimitsService, LimitsRepository],
  exports: [LimitsService],
})
export class LimitsModule {}
