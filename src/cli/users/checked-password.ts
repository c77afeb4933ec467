import { MAX_PASSWORD, MIN_PASSWORD } from '../../auth/dto/credentials.dto';
import { CliError } from '../cli-error';

/**
 * The same rules as for a registration.
 * @throws CliError naming the rule that is broken
 */
export function checkedPassword(password: string): string {
  if (password.trim() === '') throw new CliError('The password is blank.');
  if (password.includes('\u0000')) throw new CliError('The password contains a NUL character.');
  if (Array.from(password).length < MIN_PASSWORD)
    throw new CliError(`The password is shorter than ${MIN_PASSWORD} characters.`);
  if (Array.from(password).length > MAX_PASSWORD) {
    throw new CliError(`The password is longer than ${MAX_PASSWORD} characters.`);
  }
  return password;
}
