import { Module } from '@nestjs/common';
import { FormulasModule } from '../formulas.module';
import { CompositionsModule } from '../composition/compositions.module';
import { DocumentsModule } from '../../documents/documents.module';
import { ComparisonsController } from './comparisons.controller';
import { ComparisonsService } from './comparisons.service';
import { VersionsController } from './versions.controller';
import { VersionsRepository } from './versions.repository';
import { VersionsService } from './versions.service';

@Module({
  imports: [FormulasModule, CompositionsModule, DocumentsModule],
  controllers: [VersionsController, ComparisonsController],
  providers: [VersionsService, VersionsRepository, ComparisonsService],
})
export class VersionsModule {}
