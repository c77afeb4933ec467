import { ColumnChoiceError } from '../../imports/mapping/column-mapping';
import { TableError } from '../../imports/reading/table';
import { CliError, UsageError } from '../cli-error';

/** An error of reading a file, as a command reports it. */
export function explained(error: unknown, path: string): unknown {
  if (error instanceof TableError) return new CliError(`${path}: ${error.message}`);
  if (error instanceof ColumnChoiceError) return new UsageError(`--map: ${error.message}`);
  return error;
}

/** @throws UsageError for an encoding that nobody knows */
export function checkedEncoding(name: string): string {
  try {
    if (new TextDecoder(name).encoding !== '') return name;
  } catch {
    // Reported below.
  }
  throw new UsageError(`--encoding: there is no encoding "${name}"`);
}
