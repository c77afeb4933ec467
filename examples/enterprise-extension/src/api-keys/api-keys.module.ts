import { Module } from '@nestjs/common';
import { AUTH_STRATEGIES, AuthModule, EXTRA_MIGRATIONS, TOKEN_STRATEGY } from 'formula-development-service';
import { ApiKeyStrategy } from './api-key.strategy';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeys1790000002000 } from './api-keys.migration';
import { ApiKeysService } from './api-keys.service';

// #region module
@Module({
  imports: [AuthModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ApiKeyStrategy,
    { provide: AUTH_STRATEGIES, useValue: [TOKEN_STRATEGY, 'api-key'] }, // tried in this order
    { provide: EXTRA_MIGRATIONS, useValue: [ApiKeys1790000002000] },
  ],
})
export class ApiKeysModule {}
// #endregion
