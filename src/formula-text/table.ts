import { parse } from 'csv-parse/sync';
import columnRoles from './column-roles.json';
import { type Doubt, type Entry, hasWord } from './entry-parser';
import { headingOf, isKnownOther, mayBeIngredient, type TextLine } from './text-lines';
import { isFunction, type NamesAndNote, namesIn } from './names';
import type { Quantity } from './quantity';
import { tokenize } from './tokenizer';

/** The columns of a table. `names` is in order of preference. */
interface Columns {
  readonly names: readonly number[];
  readonly amounts: readonly number[];
  readonly phase?: number;
  readonly notes: readonly number[];
  /** Columns with the amounts of another formula. */
  readonly rivals: readonly number[];
  /** Unit from the heading of the first amount column, for cells without a unit. */
  readonly unit: string;
}

export interface TableRow {
  readonly entry?: Entry;
  readonly doubt: Doubt;
}

type Cells = readonly string[];

const csv = (delimiter: string) => (line: string) => {
  if (!line.includes(delimiter)) return [];
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  try {
    const rows: string[][] = parse(line, { delimiter, relax_quotes: true, trim: true });
    return rows[0] ?? [];
  } catch {
    return [];
  }
};
const separated = (by: RegExp) => (line: string) => line.split(by).map((cell) => cell.trim());

/** Ways to split a line into columns, with the minimum number of columns of a table without headings. */
const WAYS: readonly {
  split: (line: string) => string[];
  fewest: number;
  isUnmistakable?: true;
  /** Matches a comma that does not separate columns: in a chemical name or in a decimal number. */
  doubt?: RegExp;
}[] = [
  { split: (line) => separated(/\|/u)(line.replace(/^\s*\||\|\s*$/gu, '')), fewest: 2, isUnmistakable: true },
  { split: separated(/\t/u), fewest: 2, isUnmistakable: true },
  { split: separated(/\s{2,}/u), fewest: 3 },
  { split: csv(';'), fewest: 2 },
  { split: csv(','), fewest: 3, doubt: /\d,\d{1,2}-\p{L}|\p{L} ,\d/u },
];

/** Maximum number of columns that are examined. */
const MOST_COLUMNS = 20;

/** Units below the headings: "[g]", "[€/kg]". */
const UNITS_BELOW = /^\[[^\]\d]{1,10}\]$/u;

const LINE_BETWEEN = /^[\s|:+=_-]*$/u;

type Role = 'phase' | 'amount' | 'inci' | 'chinese' | 'name' | 'trade' | 'note' | 'other';
/** The first role that matches is used: "INCI name" is not a general name, and "成分含量" is not a name. */
const ROLES = columnRoles.map(
  ({ role, headings }) => [role as Role, new RegExp(headings.join('|'), 'iu')] as const,
);
const roleOf = (heading: string): Role | undefined => ROLES.find(([, pattern]) => pattern.test(heading))?.[0];

const PHASE_CELL = /^(?:phase\s*)?(?:[A-Z]\d?|[IVX]{1,3})(?:\s*相)?$|^\p{Script=Han}{1,4}相$/u;

/** Returns the amount in a cell that contains nothing else. */
function cellAmount(cell: string): Quantity | undefined {
  const tokens = tokenize(cell).filter(({ kind, text }) => kind !== 'mark' || text === '?');
  const [token] = tokens;
  return tokens.length === 1 && token?.kind === 'amount' ? token.quantity : undefined;
}
const isEmptyCell = (cell: string | undefined): boolean => !cell || /^[-–—/]+$/u.test(cell);

/** Returns true if the cell contains a name without an amount. */
const isNameCell = (cell: string): boolean => {
  const tokens = tokenize(cell);
  const isOfAName = tokens.every((token, at) =>
    token.kind === 'amount' ? isStrength(token.quantity, at) : !['volume', 'unknown'].includes(token.kind),
  );
  return isOfAName && !cellAmount(cell) && namesIn(cell) !== undefined;
};
/** Returns true for a bare number, or a percentage after the name. */
const isStrength = (quantity: Quantity, at: number): boolean =>
  quantity.kind === 'number' && (quantity.unit === undefined || (quantity.unit === '%' && at > 0));

/** Returns true if the cell contains a number. Headings may contain one that belongs to a word: "配方1". */
const hasNumber = (cell: string): boolean => /(?<!\p{L})\d|\?/u.test(cell);
const isNameRole = (cells: Cells): boolean =>
  cells.some((cell) => ['name', 'inci', 'chinese', 'trade'].includes(roleOf(cell) ?? ''));
const isWord = (cell: string): boolean => /^[^\p{N}?%‰]*$/u.test(cell);

/** A table in a text. Reads its rows one after the other. */
export class Table {
  private headings: string | undefined;

  private constructor(
    private readonly split: (line: string) => string[],
    private columns: Columns,
    private readonly data: readonly Cells[],
  ) {
    this.columns = withRivals(columns, data);
  }

  /** Returns the table in the lines, or undefined if there is none. */
  static in(lines: readonly TextLine[]): Table | undefined {
    const sample = lines.slice(0, 200);
    for (const { split, fewest, isUnmistakable = false, doubt } of WAYS) {
      const rows = sample.map(({ text }) => split(text)).filter((cells) => cells.filter(Boolean).length >= 2);
      const isDoubtful = doubt !== undefined && sample.some(({ text }) => doubt.test(text));
      const columns =
        rows.map(headings).find(Boolean) ??
        (isDoubtful ? undefined : columnsByCells(alike(rows, fewest, isUnmistakable)));
      if (columns) return new Table(split, columns, rows);
    }
    return undefined;
  }

  /** Returns undefined if the line is not a row of the table. */
  row(line: TextLine): TableRow | undefined {
    if (LINE_BETWEEN.test(line.text)) return { doubt: 'none' };
    const cells = this.split(line.text);
    const isUnits = cells.every((cell) => isEmptyCell(cell) || UNITS_BELOW.test(cell));
    if (isUnits && cells.some(Boolean) && UNITS_BELOW.test(cells.find(Boolean)!)) return { doubt: 'none' };
    if (cells.filter(Boolean).length < 2) return undefined;
    const columns = headings(cells);
    if (columns) {
      if (this.headings !== line.text) this.columns = withRivals(columns, this.data);
      this.headings = line.text;
      return { doubt: 'none' };
    }
    return this.read(cells, line);
  }

  private read(cells: Cells, line: TextLine): TableRow | undefined {
    const names = this.namesOf(cells, line);
    const first = cells.find(Boolean)!;
    if (isKnownOther(first) || (names && isKnownOther(names.chineseName || names.inciName)))
      return { doubt: 'none' };
    const { amounts, unit, notes, phase, rivals } = this.columns;
    const column = amounts.find((at) => !isEmptyCell(cells[at]));
    const cell = column === undefined ? '' : cells[column]!;
    const quantity = cellAmount(column === amounts[0] && /\d$/u.test(cell) ? cell + unit : cell);
    if (!names) return undefined;
    if (!quantity) {
      const isHeading = isNameRole(this.columns.names.map((at) => cells[at] ?? '')) && !cells.some(hasNumber);
      if (isHeading) return { doubt: 'none' };
      const isOpen = mayBeIngredient(names.inciName || names.chineseName);
      return { doubt: !isEmptyCell(cell) && !isWord(cell) ? 'numbered' : isOpen ? 'open' : 'none' };
    }
    const mark = phase === undefined ? undefined : cells[phase];
    const ofPhase = mark && (headingOf(mark)?.phase ?? mark);
    const remarks = notes.map((at) => cells[at] ?? '').filter((cell) => hasWord(tokenize(cell)));
    const note = [names.note, ...remarks.map((cell) => rawCell(line, cell))].filter(Boolean).join(';');
    // An amount in a column of another formula is reported as unread.
    const doubt = rivals.some((at) => !isEmptyCell(cells[at])) ? 'numbered' : 'none';
    return { entry: { ...names, quantity, note, ...(ofPhase && { phase: ofPhase }) }, doubt };
  }

  private namesOf(cells: Cells, line: TextLine): NamesAndNote | undefined {
    const found = this.columns.names.flatMap((column) =>
      isNameCell(cells[column] ?? '') ? (namesIn(cells[column]!) ?? []) : [],
    );
    if (found.length === 0) return undefined;
    return {
      inciName: rawCell(line, found.find(({ inciName }) => inciName)?.inciName ?? ''),
      chineseName: rawCell(line, found.find(({ chineseName }) => chineseName)?.chineseName ?? ''),
      note: found.flatMap(({ note }) => (note ? rawCell(line, note) : [])).join(';'),
    };
  }
}

/** Returns the cell with the wide characters of the text. */
function rawCell({ text, raw }: TextLine, cell: string): string {
  const at = text.indexOf(cell);
  return at < 0 ? cell : raw.slice(at, at + cell.length);
}

/** Marks further amount columns that are complete and differ from the first: they belong to another formula. */
function withRivals(columns: Columns, data: readonly Cells[]): Columns {
  const [first, ...others] = columns.amounts;
  const valuesOf = (column: number) =>
    data.map((cells) => {
      const quantity = isKnownOther(cells.find(Boolean) ?? '') ? undefined : cellAmount(cells[column] ?? '');
      return quantity?.kind === 'number' && quantity.unit !== 'g' ? quantity.low.value : undefined;
    });
  const reference = valuesOf(first!);
  const rivals = others.filter((column) => {
    const values = valuesOf(column);
    const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
    const hasRest = data.some((cells) => cellAmount(cells[column] ?? '')?.kind === 'balance');
    const isOther = values.some(
      (value, at) =>
        (value === undefined) !== (reference[at] === undefined) ||
        Math.abs((value ?? 0) - (reference[at] ?? 0)) > 1e-9,
    );
    return isOther && (hasRest || Math.abs(sum - 100) < 0.51);
  });
  return { ...columns, rivals };
}

/** Returns the columns that a row of headings names, or undefined if the row has no headings. */
function headings(cells: Cells): Columns | undefined {
  if (cells.length > MOST_COLUMNS || cells.some((cell) => /^[\d.,\s]+%?$|\d\s*[%‰]/u.test(cell)))
    return undefined;
  // A column of grams may have the heading "500 g".
  if (cells.some((cell) => cellAmount(cell) !== undefined && !/\d\s*k?g$/iu.test(cell))) return undefined;
  const roles = cells.map(roleOf);
  const of = (...wanted: Role[]) =>
    wanted.flatMap((role) => cells.flatMap((_, at) => (roles[at] === role ? [at] : [])));
  const names = of('inci', 'chinese', 'name');
  const all = of('amount');
  if (all.length === 0 || names.length + of('trade').length === 0) return undefined;
  const percent = all.filter((at) => /%|percent|\bpct\b|procent|prozent|百分|w\/w/iu.test(cells[at]!));
  const amounts = [...percent, ...all.filter((at) => !percent.includes(at))];
  const unit = /(?:^|[(\s/])(kg|mg|g\/kg|mg\/g|ppm|g|oz|lbs?|克|千克|公斤)(?:\)|$|\s)|(‰)/iu
    .exec(cells[amounts[0]!]!)
    ?.slice(1)
    .find(Boolean);
  return {
    names: names.length > 0 ? names : of('trade'),
    amounts,
    phase: of('phase')[0],
    notes: of('note'),
    rivals: [],
    unit: percent.length === 0 && unit ? ` ${unit}` : '',
  };
}

/** Returns the rows with enough columns, if most rows have them. A single row needs bars or tabs. */
function alike(rows: readonly Cells[], fewest: number, isUnmistakable: boolean): Cells[] {
  const wide = rows.filter(({ length }) => length >= fewest);
  return wide.length * 2 > rows.length && (wide.length > 1 || isUnmistakable) ? wide : [];
}

/** Returns the columns of a table without headings, according to their cells. */
function columnsByCells(rows: readonly Cells[]): Columns | undefined {
  const data = rows
    .filter((cells) => !cells.every((cell) => LINE_BETWEEN.test(cell)))
    .map((cells) => cells.slice(0, MOST_COLUMNS));
  const width = Math.max(0, ...data.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, at) =>
    data.map((cells) => cells[at] ?? '').filter(Boolean),
  );
  const mostly = (column: number, test: (cell: string) => boolean) => {
    const cells = columns[column]!;
    return cells.length * 2 > data.length && cells.filter(test).length > cells.length * 0.6;
  };
  const all = columns.map((_, at) => at);
  const phase = all.find((at) => mostly(at, (cell) => PHASE_CELL.test(cell)));
  const amounts = all.filter((at) => at !== phase && mostly(at, (cell) => cellAmount(cell) !== undefined));
  const first = columns[amounts[0] ?? -1] ?? [];
  // The first column contains line numbers.
  if (first.length > 1 && first.every((cell, at) => cell === String(at + 1))) amounts.shift();
  const percent = amounts.filter((at) => columns[at]!.some((cell) => cell.includes('%')));
  const named = all.filter((at) => at !== phase && mostly(at, isNameCell));
  const [name] = named;
  if (amounts.length === 0 || name === undefined) return undefined;
  const isHan = (at: number) => mostly(at, (cell) => /\p{Script=Han}/u.test(cell));
  // A further column of names is in the other language.
  const names = named.filter(
    (at) => at === name || (isHan(at) !== isHan(name) && !columns[at]!.some(isRemark)),
  );
  const others = [phase, ...amounts, ...names];
  const notes = all.filter((at) => at > name && !others.includes(at));
  return { names, amounts: [...new Set([...percent, ...amounts])], phase, notes, rivals: [], unit: '' };
}

/** Returns true for a step or a function. */
const isRemark = (cell: string): boolean => isFunction(cell) || !mayBeIngredient(cell);
