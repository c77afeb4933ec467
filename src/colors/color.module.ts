import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module';
import { AiModule } from '../ai/ai.module';
import { ColorFormulaEntity } from './color-formula.entity';
import { ColorController } from './color.controller';
import { ColorFormulasRepository } from './color-formulas.repository';
import { ColorService } from './color.service';
import { ColorFilesController } from './files/color-files.controller';
import { ColorImportService } from './files/color-import.service';
import { ColorLibraryController } from './library/color-library.controller';
import { ColorLibraryRepository } from './library/color-library.repository';
import { ColorLibraryService } from './library/color-library.service';
import { ReferenceColorEntity } from './library/reference-color.entity';

@Module({
  imports: [AiModule, FilesModule, TypeOrmModule.forFeature([ColorFormulaEntity, ReferenceColorEntity])],
  controllers: [ColorController, ColorFilesController, ColorLibraryController],
  providers: [
    ColorService,
    ColorFormulasRepository,
    ColorImportService,
    ColorLibraryService,
    ColorLibraryRepository,
  ],
  exports: [ColorService, ColorFormulasRepository, ColorImportService, ColorLibraryService],
})
export class ColorModule {}
