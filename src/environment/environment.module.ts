import { Global, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { EXTRA_SETTINGS, type SettingsSchema } from './extra-settings';
import { Environment, EnvironmentError, parseEnvironment } from './environment';
import { resolveSigningSecret, SigningSecret } from './signing-secret';

/** @throws EnvironmentError naming every invalid variable */
export const readEnvironment = (extra: readonly SettingsSchema[] = []): Environment =>
  // eslint-disable-next-line no-restricted-properties -- the one place that reads it
  parseEnvironment(process.env, extra);

/**
 * Known before anything is made.
 * @throws EnvironmentError where one is no schema, or not a value
 */
function schemasIn(discovery: DiscoveryService): SettingsSchema[] {
  return discovery
    .getProviders()
    .filter(({ token }) => token === EXTRA_SETTINGS)
    .flatMap(({ instance, host, metatype }) => {
      const schemas = [instance as SettingsSchema | SettingsSchema[] | undefined].flat();
      // A factory has a metatype: it may have run already, or not.
      if (metatype === null && schemas.every((schema) => typeof schema?.safeParse === 'function'))
        return schemas as SettingsSchema[];
      throw new EnvironmentError([
        `EXTRA_SETTINGS in ${host?.name ?? 'a module without a name'} must be a value (useValue) with safeParse()`,
      ]);
    });
}

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: Environment,
      inject: [DiscoveryService],
      useFactory: (discovery: DiscoveryService) => readEnvironment(schemasIn(discovery)),
    },
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
