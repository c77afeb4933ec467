import { Module } from '@nestjs/common';
import { EXTRA_MIGRATIONS, CUSTOM_FIELDS } from 'formula-development-service';
import { DOSSIER } from './dossier.fields';
import { DossiersController } from './dossiers.controller';
import { Dossiers1790000006000 } from './dossiers.migration';

@Module({
  controllers: [DossiersController],
  providers: [
    { provide: CUSTOM_FIELDS, useValue: DOSSIER },
    { provide: EXTRA_MIGRATIONS, useValue: [Dossiers1790000006000] },
  ],
})
export class DossiersModule {}
