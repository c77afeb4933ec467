import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../environment/environment';
import { resolveSigningSecret } from '../environment/signing-secret';
import type { CommandIdentity } from './embedded/commands/command-identity';

/**
 * What a service of these settings and a command that works on its database must have in common.
 * @throws EnvironmentError where the secret of the data directory cannot be read
 */
export function commandIdentityOf(environment: Environment): CommandIdentity {
  const secrets = [resolveSigningSecret(environment).value, environment.configEncryptionKey ?? null];
  return {
    version: versionOfBuild(),
    secretsKey: createHash('sha256').update(JSON.stringify(secrets)).digest(),
  };
}

function versionOfBuild(): string {
  const text = readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
