import { Module } from '@nestjs/common';
import { RuntimeConfigModule } from '../runtime-config/runtime-config.module';
import { AiModule } from './ai.module';
import { ProviderListController } from './http/provider-list.controller';

/** A route for applications with extensions: without them there is nothing that it could tell. */
@Module({ imports: [AiModule, RuntimeConfigModule], controllers: [ProviderListController] })
export class ProviderListModule {}
