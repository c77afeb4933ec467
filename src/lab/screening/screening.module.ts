import { Module } from '@nestjs/common';
import { CompositionsModule } from '../compositions/compositions.module';
import { DocumentsModule } from '../documents/documents.module';
import { RawMaterialsModule } from '../raw-materials/raw-materials.module';
import { LimitsService } from './limits/limits.service';
import { ScreeningController } from './screening.controller';
import { ScreeningService } from './screening.service';

@Module({
  imports: [CompositionsModule, DocumentsModule, RawMaterialsModule],
  controllers: [ScreeningController],
  providers: [ScreeningService, LimitsService],
})
export class ScreeningModule {}
