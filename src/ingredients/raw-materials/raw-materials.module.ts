import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IngredientsModule } from '../ingredients.module';
import { DocumentsModule } from '../../documents/documents.module';
import { RawMaterialsController } from './raw-materials.controller';
import { RawMaterialsRepository } from './raw-materials.repository';
import { RawMaterialsService } from './raw-materials.service';
import { SubstanceEntity } from './substance.entity';

/** The substances that raw materials consist of, and those of a formula, summed over its lines. */
@Module({
  imports: [TypeOrmModule.forFeature([SubstanceEntity]), IngredientsModule, DocumentsModule],
  controllers: [RawMaterialsController],
  providers: [RawMaterialsService, RawMaterialsRepository],
  exports: [RawMaterialsService],
})
export class RawMaterialsModule {}
