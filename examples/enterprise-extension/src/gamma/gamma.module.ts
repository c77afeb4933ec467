import { Module } from '@nestjs/common';
import { AI_PROVIDER } from 'formula-development-service';
import { GammaProvider } from './gamma.provider';

// #region module
@Module({ providers: [{ provide: AI_PROVIDER, useClass: GammaProvider }] })
export class GammaModule {}
// #endregion
