import { Module } from '@nestjs/common';
import { ColorModule } from '../../color/color.module';
import { DocumentsModule } from '../documents/documents.module';
import { SwatchesController } from './swatches.controller';
import { SwatchesRepository } from './swatches.repository';
import { SwatchesService } from './swatches.service';

@Module({
  imports: [ColorModule, DocumentsModule],
  controllers: [SwatchesController],
  providers: [SwatchesService, SwatchesRepository],
})
export class ColorsModule {}
