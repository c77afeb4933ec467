import { Module } from '@nestjs/common';
import { RawMaterialsModule } from '../../ingredients/raw-materials/raw-materials.module';
import { CompositionsRepository } from './compositions.repository';
import { CompositionsService } from './compositions.service';

/** The compositions of formulas, as the other modules of the laboratory work on them. */
@Module({
  imports: [RawMaterialsModule],
  providers: [CompositionsService, CompositionsRepository],
  exports: [CompositionsService],
})
export class CompositionsModule {}
