import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { CompositionsModule } from '../formulas/composition/compositions.module';
import { DeclarationController } from './declaration.controller';
import { DeclarationService } from './declaration.service';

@Module({
  imports: [CompositionsModule, DocumentsModule],
  controllers: [DeclarationController],
  providers: [DeclarationService],
})
export class LabelsModule {}
