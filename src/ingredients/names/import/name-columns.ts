import type { RowFault } from '../../../files/import-report';
import { importText } from '../../../files/import.texts';
import type { ImportColumn } from '../../../files/mapping/file-column';
import type { CellReader } from '../../../files/mapping/read-fields';
import type { Message } from '../../../platform/texts/define-texts';
import { ingredientImportText } from '../../ingredient-import.texts';
import { casFault, ecFault, plainNumber } from '../../raw-materials/registry-numbers';
import { NAME_KINDS, type NameKind } from '../ingredient-name.entity';
import { nameKey } from '../../../platform/common/name-forms';
import { distinctNames, type StoredName } from '../other-names-rules';
import { FIELD_OF_KIND, MAX_NAME_LENGTH, MAX_NAMES } from '../other-names.dto';
import { NAME_COLUMN_ALIASES, NO_NAME } from './name-columns.words';

/** Columns of ingredient files with further names. */
export const NAME_COLUMNS: readonly ImportColumn[] = NAME_KINDS.map((kind) => ({
  field: FIELD_OF_KIND[kind],
  aliases: NAME_COLUMN_ALIASES[FIELD_OF_KIND[kind]],
  // Not for CAS numbers, which look like dates.
  ...((kind === 'synonym' || kind === 'trade-name') && { holds: 'name' as const }),
}));

const NUMBERS = {
  cas: { fault: casFault, code: 'ingredient-import.cas-not-used' },
  ec: { fault: ecFault, code: 'ingredient-import.ec-not-used' },
} as const;

interface CellNames {
  readonly names: readonly string[];
  readonly reasons: readonly Message[];
  /** Remarks on unused values, which do not refuse the row. */
  readonly remarks: readonly Message[];
}

/** Reads the names in a row's cells, each once. */
export function readNameCells(cell: CellReader, nameOf: CellReader = () => undefined) {
  const cells = NAME_KINDS.map((kind) => {
    const field = FIELD_OF_KIND[kind];
    return { kind, ...readCell(kind, cell(field)?.trim() ?? '', nameOf(field) ?? field) };
  });
  const names = cells.flatMap(({ kind, names: written, reasons }) =>
    (reasons.length > 0 ? [] : written).map((name): StoredName => ({ kind, name, key: nameKey(name) })),
  );
  return {
    names: distinctNames(names.filter(({ key }) => key !== '')),
    faults: cells.flatMap(({ kind, reasons }) =>
      reasons.map((reason): RowFault => ({ field: FIELD_OF_KIND[kind], reason })),
    ),
    remarks: cells.flatMap(({ remarks }) => remarks),
  };
}

function readCell(kind: NameKind, text: string, column: string): CellNames {
  const nothing: CellNames = { names: [], reasons: [], remarks: [] };
  if (text === '' || NO_NAME.test(text)) return nothing;
  if (text.includes('\0')) return { ...nothing, reasons: [importText('import.nul-character')] };
  const list = listIn(text);
  const read =
    kind === 'cas' || kind === 'ec'
      ? readNumbers(list?.join(' ') ?? text, column, NUMBERS[kind])
      : list
        ? { ...nothing, names: list.map((name) => name.trim()).filter((name) => name !== '') }
        : readNames(text, column);
  if (read.names.length + read.remarks.length > MAX_NAMES) {
    return {
      ...nothing,
      reasons: [ingredientImportText('ingredient-import.too-many-names', { max: MAX_NAMES })],
    };
  }
  const long = read.names.some((name) => Array.from(name).length > MAX_NAME_LENGTH);
  return long
    ? { ...read, reasons: [ingredientImportText('ingredient-import.long-name', { max: MAX_NAME_LENGTH })] }
    : read;
}

/** Formats names so that a cell with them is read back: `Glycerol; 丙三醇`, or JSON such as `["a;b"]` if necessary. */
export function writtenNames(names: readonly string[]): string {
  const plain = names.join('; ');
  const { names: read, remarks } = readCell('synonym', plain, '');
  const isSame = read.length === names.length && read.every((name, index) => name === names[index]);
  return isSame && remarks.length === 0 ? plain : JSON.stringify(names);
}

/** Returns the texts of a JSON list, as in JSON files. */
function listIn(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list = JSON.parse(text) as unknown[];
    return list.every((name) => typeof name === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

const BETWEEN_NUMBERS = /[\s;,、/|+&()[\]#]+/u;
const AROUND_NUMBERS = /^(?:[-–—:]+|and|und|et|e|or|(?:cas|ec|einecs|no\.?|nr\.?):?)$/iu;

/** Reads numbers with any usual separators. A number with a wrong check digit is not used. */
function readNumbers(
  text: string,
  column: string,
  { fault, code }: (typeof NUMBERS)[keyof typeof NUMBERS],
): CellNames {
  const words = plainNumber(text).split(BETWEEN_NUMBERS);
  const numbers = words.filter((word) => word !== '' && !AROUND_NUMBERS.test(word));
  return {
    names: numbers.filter((number) => !fault(number)),
    reasons: [],
    remarks: numbers
      .filter((number) => fault(number))
      .map((number) => ingredientImportText(code, { column, number })),
  };
}

const BETWEEN_NAMES = /[;；、|\r\n]+/u;
const COMMA = /[^\d][,，]|[,，][^\d]/u;

/** A comma is part of a name, as in `Acid, citric`. Only semicolons, bars, line ends and `、` separate names. */
function readNames(text: string, column: string): CellNames {
  const names = text.split(BETWEEN_NAMES).map((name) => name.trim());
  const withComma = names.some((name) => COMMA.test(name));
  return {
    names: names.filter((name) => name !== ''),
    reasons: [],
    remarks: withComma ? [ingredientImportText('ingredient-import.comma', { column })] : [],
  };
}
