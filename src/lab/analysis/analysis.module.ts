import { Module } from '@nestjs/common';
import { CompositionsModule } from '../compositions/compositions.module';
import { DocumentsModule } from '../documents/documents.module';

@Module({ imports: [CompositionsModule, DocumentsModule] })
export class AnalysisModule {}
