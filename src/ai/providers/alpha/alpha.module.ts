import { Module } from '@nestjs/common';
import { RuntimeConfigModule } from '../../../runtime-config/runtime-config.module';
import { AI_PROVIDER } from '../../provider/ai-provider';
import { AlphaProvider } from './alpha.provider';

@Module({ imports: [RuntimeConfigModule], providers: [{ provide: AI_PROVIDER, useClass: AlphaProvider }] })
export class AlphaModule {}
