import type { Type } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { currentLanguage } from '../platform/texts/languages';
import { render } from '../platform/texts/text';
import { readDecimal } from '../platform/validation/decimal';
import { fieldFaults } from '../platform/validation/input.pipe';
import { requestInstance } from '../platform/validation/request-instance';
import type { FileImportDescription, ImportDraft } from './file-import';
import type { ImportColumn } from './mapping/file-column';

/** A row of a file that was read as a request class: its line, and the class's fields. */
export type RowOf<Row extends object> = ImportDraft & Row;

/**
 * Describes files whose rows are validated as a request class, in the same way as requests. An empty cell leaves
 * its field unset. A column `holds` numbers, percent, or text.
 */
export function describeRows<Row extends object>(
  type: Type<Row>,
  columns: readonly ImportColumn[],
): Pick<FileImportDescription<RowOf<Row>>, 'columns' | 'readRow'> {
  return {
    columns,
    readRow: (line, cell) => {
      const values = columns.flatMap(({ field, holds }) => {
        const text = cell(field)?.trim();
        const number = holds === 'percent' ? text?.replace(/\s*%$/, '') : text;
        const isNumber = holds === 'number' || holds === 'percent';
        return text ? [[field, isNumber ? (readDecimal(number!) ?? text) : text]] : [];
      });
      const row = requestInstance(type, Object.fromEntries(values) as object);
      const faults = fieldFaults(validateSync(row, { whitelist: true, stopAtFirstError: true }));
      const reasons = faults.map(({ field, message }) => `${field}: ${render(message, currentLanguage())}`);
      return reasons.length > 0
        ? { reasons }
        : { draft: Object.assign(row, { line }) as RowOf<Row>, reasons };
    },
  };
}
