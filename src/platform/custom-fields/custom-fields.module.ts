import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CustomFieldsService } from './custom-fields.service';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [CustomFieldsService],
  exports: [CustomFieldsService],
})
export class CustomFieldsModule {}
