import { Module } from '@nestjs/common';
import { AI_PROVIDER } from '../ai-provider';
import { MockProvider } from './mock.provider';

@Module({ providers: [{ provide: AI_PROVIDER, useClass: MockProvider }] })
export class MockModule {}
