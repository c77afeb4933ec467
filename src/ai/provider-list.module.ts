import { Module } from '@nestjs/common';
import { RuntimeConfigModule } from '../platform/runtime-config/runtime-config.module';
import { AiModule } from './ai.module';
import { ProviderListController } from './http/provider-list.controller';

/** Imported by applications with extensions only: without extensions the list is always empty. */
@Module({ imports: [AiModule, RuntimeConfigModule], controllers: [ProviderListController] })
export class ProviderListModule {}
