import { Module } from '@nestjs/common';
import { AI_PROVIDER } from '../ai-provider';
import { BetaProvider } from './beta.provider';

@Module({ providers: [{ provide: AI_PROVIDER, useClass: BetaProvider }] })
export class BetaModule {}
