import { Module } from '@nestjs/common';
import { RuntimeConfigModule } from '../../../runtime-config/runtime-config.module';
import { AI_PROVIDER } from '../../provider/ai-provider';
import { BetaProvider } from './beta.provider';

@Module({ imports: [RuntimeConfigModule], providers: [{ provide: AI_PROVIDER, useClass: BetaProvider }] })
export class BetaModule {}
