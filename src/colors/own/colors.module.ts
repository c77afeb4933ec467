import { Module } from '@nestjs/common';
import { ColorModule } from '../color.module';
import { DocumentsModule } from '../../documents/documents.module';
import { ColorFormulasController } from './color-formulas.controller';
import { ColorFormulasService } from './color-formulas.service';
import { MatchesController } from './matches.controller';
import { MatchesService } from './matches.service';
import { SwatchesController } from '../swatches/swatches.controller';
import { SwatchesRepository } from '../swatches/swatches.repository';
import { SwatchesService } from '../swatches/swatches.service';

@Module({
  imports: [ColorModule, DocumentsModule],
  controllers: [SwatchesController, ColorFormulasController, MatchesController],
  providers: [SwatchesService, SwatchesRepository, ColorFormulasService, MatchesService],
})
export class ColorsModule {}
