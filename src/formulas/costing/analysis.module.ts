import { Module } from '@nestjs/common';
import { AnalysisController } from './analysis.controller';
import { AnalysisService } from './analysis.service';
import { CompositionsModule } from '../composition/compositions.module';
import { DocumentsModule } from '../../documents/documents.module';

@Module({
  imports: [CompositionsModule, DocumentsModule],
  controllers: [AnalysisController],
  providers: [AnalysisService],
})
export class AnalysisModule {}
