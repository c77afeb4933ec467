import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { FormulasModule } from '../formulas/formulas.module';
import { DeclarationController } from './declaration.controller';
import { DeclarationService } from './declaration.service';

@Module({
  imports: [FormulasModule, DocumentsModule],
  controllers: [DeclarationController],
  providers: [DeclarationService],
})
export class LabelsModule {}
