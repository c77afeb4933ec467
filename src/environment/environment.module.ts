import { Global, Module } from '@nestjs/common';
import { Environment, parseEnvironment } from './environment';
import { resolveSigningSecret, SigningSecret } from './signing-secret';

@Global()
@Module({
  providers: [
    // eslint-disable-next-line no-restricted-properties -- the one place that reads it
    { provide: Environment, useFactory: () => parseEnvironment(process.env) },
    { provide: SigningSecret, useFactory: resolveSigningSecret, inject: [Environment] },
  ],
  exports: [Environment, SigningSecret],
})
export class EnvironmentModule {}
