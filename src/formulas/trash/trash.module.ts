import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FormulasModule } from '../formulas.module';
import { TrashPurge } from './trash-purge';
import { TrashController } from './trash.controller';
import { TrashRepository } from './trash.repository';
import { TrashService } from './trash.service';
import { TrashedFormulaEntity } from './trashed-formula.entity';
import { TrashedVersionEntity } from './trashed-version.entity';

@Module({
  imports: [FormulasModule, TypeOrmModule.forFeature([TrashedFormulaEntity, TrashedVersionEntity])],
  controllers: [TrashController],
  providers: [TrashService, TrashRepository, TrashPurge],
  exports: [TrashService],
})
export class TrashModule {}
