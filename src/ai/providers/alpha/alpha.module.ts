import { Module } from '@nestjs/common';
import { AI_PROVIDER } from '../ai-provider';
import { AlphaProvider } from './alpha.provider';

@Module({ providers: [{ provide: AI_PROVIDER, useClass: AlphaProvider }] })
export class AlphaModule {}
