import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FileTransferService } from './http/file-transfer.service';
import { ImportRefusalEntity } from './http/import-refusal.entity';
import { RefusalsRepository } from './http/refusals.repository';
import { RefusedRowsController } from './http/refused-rows.controller';

/** Files in requests and answers. The modules of the records have the routes. */
@Module({
  imports: [TypeOrmModule.forFeature([ImportRefusalEntity])],
  controllers: [RefusedRowsController],
  providers: [FileTransferService, RefusalsRepository],
  exports: [FileTransferService],
})
export class FilesModule {}
