import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVELOPMENT_JWT_SECRET, type Environment, EnvironmentError } from './environment';

/** The secret that signs tokens. By default the key for stored configuration is derived from it. */
export class SigningSecret {
  constructor(
    readonly value: string,
    /** True for the publicly known development default. */
    readonly isDevelopmentDefault = false,
    /** A further secret for verifying and decrypting, never for signing. */
    readonly previous?: string,
  ) {}
}

/**
 * Returns JWT_SECRET if it is set, with JWT_SECRET_PREVIOUS. Otherwise, with a database server: the development
 * default (production has already refused that); with the embedded database: a random secret, generated once in its
 * directory (mode 0600), so that tokens stay valid after a restart.
 * @throws EnvironmentError if the directory cannot be used or its file contains no secret
 */
export function resolveSigningSecret(environment: Environment): SigningSecret {
  const value = presentSecret(environment);
  return new SigningSecret(value, value === DEVELOPMENT_JWT_SECRET, environment.jwtSecretPrevious);
}

function presentSecret(environment: Environment): string {
  if (environment.jwtSecret) return environment.jwtSecret;
  switch (environment.database.kind) {
    case 'server':
      return DEVELOPMENT_JWT_SECRET;
    case 'memory':
      return newSecret();
    case 'directory':
      return secretOfDirectory(environment.database.dataDir);
  }
}

const newSecret = () => randomBytes(32).toString('base64url');

function secretOfDirectory(dataDir: string): string {
  const path = join(dataDir, 'jwt-secret');
  const secret = readOrMake(dataDir, path);
  if (secret.length < 32) {
    throw new EnvironmentError([`${path} holds no secret: delete it to have a new one made`]);
  }
  return secret;
}

function readOrMake(dataDir: string, path: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // 'wx' creates the file or fails: if two processes start at once, one generates the secret and both use it.
    writeFileSync(path, newSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(error);
  }
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw unusable(error);
  }
}

const unusable = (error: unknown) =>
  new EnvironmentError([
    `DATA_DIR cannot be used (${(error as Error).message}): give this user the right to write there, or choose another`,
  ]);
