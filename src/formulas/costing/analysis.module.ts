import { Module } from '@nestjs/common';
import { AnalysisController } from './analysis.controller';
import { AnalysisService } from './analysis.service';
import { CompositionsModule } from '../composition/compositions.module';
import { DocumentsModule } from '../../documents/documents.module';
import { RawMaterialsModule } from '../../ingredients/raw-materials/raw-materials.module';
import { DeclarationController } from '../../labels/declaration.controller';
import { DeclarationService } from '../../labels/declaration.service';

@Module({
  imports: [CompositionsModule, DocumentsModule, RawMaterialsModule],
  controllers: [AnalysisController, DeclarationController],
  providers: [AnalysisService, DeclarationService],
})
export class AnalysisModule {}
