import { passwordProblem } from '../../auth/credential-rules';
import { CliError } from '../cli-error';

/**
 * The same rules as for a registration.
 * @throws CliError naming the rule that is broken
 */
export function checkedPassword(password: string): string {
  const problem = passwordProblem(password);
  if (problem) throw new CliError(`The password ${problem}.`);
  return password;
}
