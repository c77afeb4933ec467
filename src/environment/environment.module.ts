import { Global, Module } from '@nestjs/common';
import { Environment, parseEnvironment } from './environment';
import { resolveSigningSecret, SigningSecret } from './signing-secret';

/** @throws EnvironmentError naming every invalid variable */
// eslint-disable-next-line no-restricted-properties -- the one place that reads it
export const readEnvironment = (): Environment => parseEnvironment(process.env);

@Global()
@Module({
  providers: [
    { provide: Environment, useFactory: readEnvironment },
    { provide: SigningSecret, useFactory: resolveSigningSecret, inject: [Environment] },
  ],
  exports: [Environment, SigningSecret],
})
export class EnvironmentModule {}
