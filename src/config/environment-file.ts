import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { EnvironmentError } from './environment';

const FILE = '.env';

/** Of the process, as its environment is. */
let names: readonly string[] = [];

/** The names that `.env` has set or would have set. */
export const namesInEnvironmentFile = (): readonly string[] => names;

/**
 * Sets what `.env` in the working directory sets and the environment does not, not even to an empty text. For
 * the service's own entries, not for the application that a test or another program makes.
 * @throws EnvironmentError where the file is there and cannot be read
 */
export function readEnvironmentFile(): void {
  // eslint-disable-next-line no-restricted-properties -- filled here, read where all of it is
  const variables = process.env;
  if (variables.NODE_ENV === 'test') return;
  const set = parseEnv(content());
  names = Object.keys(set);
  for (const name of names) variables[name] ??= set[name];
}

/** Not `process.loadEnvFile`: to that one that may not be read is one that is not there. */
function content(): string {
  try {
    // Editors on Windows begin with a mark that would belong to the first name.
    return readFileSync(FILE, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new EnvironmentError([`${FILE} in the working directory cannot be read (${code})`]);
  }
}
