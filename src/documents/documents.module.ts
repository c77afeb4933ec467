import { Module } from '@nestjs/common';
import { DocumentsService } from './documents.service';

/** Pages to print and files, of what the modules of the laboratory answer as JSON. */
@Module({ providers: [DocumentsService], exports: [DocumentsService] })
export class DocumentsModule {}
