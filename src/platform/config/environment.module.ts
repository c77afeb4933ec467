import { Global, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { placedUnder, valuesUnder } from '../common/extension-tokens';
import { Environment, parseEnvironment } from './environment';
import { namesInEnvironmentFile } from './environment-file';
import { EXTRA_SETTINGS, schemasOf, type SettingsSchema } from './extra-settings';
import { resolveSigningSecret, SigningSecret } from './signing-secret';

/** @throws EnvironmentError listing every invalid variable */
export const readEnvironment = (extra: readonly SettingsSchema[] = []): Environment =>
  // eslint-disable-next-line no-restricted-properties -- the one place that reads it
  parseEnvironment(process.env, extra);

/**
 * Returns the settings schemas of extensions, before any provider is instantiated.
 * @throws ExtensionError if one is not a schema, or is not provided as a value
 */
function schemasIn(discovery: DiscoveryService): SettingsSchema[] {
  valuesUnder(EXTRA_SETTINGS, discovery);
  return schemasOf(placedUnder(EXTRA_SETTINGS, discovery));
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
  constructor(
    private readonly environment: Environment,
    private readonly secret: SigningSecret,
  ) {}

  onApplicationBootstrap(): void {
    const logger = new Logger('Settings');
    for (const message of this.environment.misspelt(namesInEnvironmentFile())) logger.warn(message);
    if (!this.secret.isDevelopmentDefault) return;
    new Logger('Security').warn(
      'JWT_SECRET is the publicly known development default: whoever reaches this service can sign in as anybody. ' +
        'Set a JWT_SECRET of your own before you keep real formulas here.',
    );
  }
}
