import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { EnvironmentError } from './environment';

const FILE = '.env';

/** Stored for the process, like its environment. */
let names: readonly string[] = [];

/** The names of all variables in `.env`, including those that the environment overrides. */
export const namesInEnvironmentFile = (): readonly string[] => names;

/**
 * Sets the variables of `.env` in the working directory that the environment does not set, not even to an empty
 * text. Called by the service's own entry points, not in applications that tests or other programs create.
 * @throws EnvironmentError if the file exists and cannot be read
 */
export function readEnvironmentFile(): void {
  // eslint-disable-next-line no-restricted-properties -- filled here, read where all of it is
  const variables = process.env;
  if (variables.NODE_ENV === 'test') return;
  const set = parseEnv(content());
  names = Object.keys(set);
  for (const name of names) variables[name] ??= set[name];
}

/** Does not use `process.loadEnvFile`, which treats an unreadable file as a missing one. */
function content(): string {
  try {
    // Editors on Windows write a byte order mark that would become part of the first name.
    return readFileSync(FILE, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new EnvironmentError([`${FILE} in the working directory cannot be read (${code})`]);
  }
}
