import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AiModule } from '../ai/ai.module';
import { DocumentsModule } from '../documents/documents.module';
import { FilesModule } from '../files/files.module';
import { FormulasModule } from '../formulas/formulas.module';
import { ColorFormulasController } from './color-formulas.controller';
import { ColorFormulasRepository } from './color-formulas.repository';
import { ColorLibraryRepository } from './color-library.repository';
import { ColorLibraryService } from './color-library.service';
import { ColorMatchesService } from './color-matches.service';
import { ColorController } from './color.controller';
import { ColorFormulaEntity, ReferenceColorEntity } from './color.entity';
import { ColorService } from './color.service';
import { ColorFilesController } from './files/color-files.controller';
import { ColorImportService } from './files/color-import.service';

@Module({
  imports: [
    AiModule,
    DocumentsModule,
    FilesModule,
    FormulasModule,
    TypeOrmModule.forFeature([ColorFormulaEntity, ReferenceColorEntity]),
  ],
  controllers: [ColorController, ColorFilesController, ColorFormulasController],
  providers: [
    ColorService,
    ColorMatchesService,
    ColorFormulasRepository,
    ColorImportService,
    ColorLibraryService,
    ColorLibraryRepository,
  ],
  exports: [ColorService, ColorFormulasRepository, ColorImportService, ColorLibraryService],
})
export class ColorModule {}
