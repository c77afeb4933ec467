import { Module } from '@nestjs/common';
import { EVENT_HANDLER, EXTRA_MIGRATIONS } from 'formula-development-service';
import { AuditController } from './audit.controller';
import { AuditHandler } from './audit.handler';
import { AuditLines1790000004000 } from './audit.migration';

@Module({
  controllers: [AuditController],
  providers: [
    { provide: EVENT_HANDLER, useClass: AuditHandler },
    { provide: EXTRA_MIGRATIONS, useValue: [AuditLines1790000004000] },
  ],
})
export class AuditModule {}
