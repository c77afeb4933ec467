import { Global, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
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
export class EnvironmentModule implements OnApplicationBootstrap {
  constructor(private readonly secret: SigningSecret) {}

  onApplicationBootstrap(): void {
    if (!this.secret.isDevelopmentDefault) return;
    new Logger('Security').warn(
      'JWT_SECRET is the publicly known development default: whoever reaches this service can sign in as anybody. ' +
        'Set a JWT_SECRET of your own before you keep real formulas here.',
    );
  }
}
