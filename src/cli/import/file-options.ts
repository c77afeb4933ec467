import { ColumnChoiceError } from '../../files/mapping/column-mapping';
import { TableError } from '../../files/reading/table';
import { CliError, UsageError } from '../cli-io';

/** Converts an error of reading a file to one that a command reports. */
export function explained(error: unknown, path: string): unknown {
  if (error instanceof TableError) return new CliError(`${path}: ${error.message}`);
  if (error instanceof ColumnChoiceError) return new UsageError(`--map: ${error.message}`);
  return error;
}

/** @throws UsageError for an unknown encoding */
export function checkedEncoding(name: string): string {
  try {
    if (new TextDecoder(name).encoding !== '') return name;
  } catch {
    // Reported below.
  }
  throw new UsageError(`--encoding: there is no encoding "${name}"`);
}
