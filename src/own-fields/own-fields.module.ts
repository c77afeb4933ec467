import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OwnFieldsService } from './own-fields.service';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [OwnFieldsService],
  exports: [OwnFieldsService],
})
export class OwnFieldsModule {}
