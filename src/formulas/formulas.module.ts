import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FormulaIngredientEntity } from './formula-ingredient.entity';
import { FormulaPhaseEntity } from './formula-phase.entity';
import { FormulaVersionEntity } from './formula-version.entity';
import { FormulaEntity } from './formula.entity';
import { BulkWrites } from './bulk-writes';
import { BulkWritesRepository } from './bulk-writes.repository';
import { FormulaReferences } from './formula-references';
import { FormulaTransferRepository } from './files/formula-transfer.repository';
import { FormulaTransferService } from './files/formula-transfer.service';
import { FormulasController } from './formulas.controller';
import { FormulasRepository } from './formulas.repository';
import { FormulasService } from './formulas.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      FormulaEntity,
      FormulaVersionEntity,
      FormulaPhaseEntity,
      FormulaIngredientEntity,
    ]),
  ],
  controllers: [FormulasController],
  providers: [
    FormulasService,
    FormulasRepository,
    FormulaReferences,
    BulkWrites,
    BulkWritesRepository,
    FormulaTransferService,
    FormulaTransferRepository,
  ],
  exports: [FormulasService, FormulasRepository, FormulaTransferService],
})
export class FormulasModule {}
