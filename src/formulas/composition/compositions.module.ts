import { Module } from '@nestjs/common';
import { CompositionsRepository } from './compositions.repository';
import { CompositionsService } from './compositions.service';

/** The compositions of formulas, as the other modules of the laboratory work on them. */
@Module({
  providers: [CompositionsService, CompositionsRepository],
  exports: [CompositionsService],
})
export class CompositionsModule {}
