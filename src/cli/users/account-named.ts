import { CliError } from '../cli-error';

/**
 * What was found under the name that was given.
 * @throws CliError when nothing was
 */
export function accountNamed<T>(name: string, found: T | undefined): T {
  if (found === undefined) throw new CliError(`There is no user "${name.trim()}".`);
  return found;
}
