import type { LimitKind } from '../limit';
import { RefusedCell } from './limit-draft';

/** The meaning of the words beside a number. */
export interface Unit {
  /** Undefined if the table determines it. */
  readonly kind?: LimitKind;
  readonly hasLimit: boolean;
  readonly basis: string | null;
  /** The description of a sum, in words. */
  readonly sum: string | null;
}

const PLAIN: Unit = { hasLimit: true, basis: null, sum: null };

/** Words of a sum, after a comma or a blank. */
const SUM =
  /^(?:sum(?: (?:of|with) .+)?|all uses of .+ together|alone or combined with .+|.+ alone or with .+|[^,]+ \+ [^,]+)$/;
const BASIS = /^(?:as|of(?: the)?) (?<basis>[^,%]+)$/;
/** Bases without a word such as `as`. */
const BARE_BASES: Readonly<Record<string, string>> = {
  'retinol equivalent': 'retinol',
  'H2O2 present or released': 'H2O2 present or released',
  'after mixing': 'after mixing',
};

/**
 * Interprets the words after a number: `%`, `% as acid, sum of esters`.
 * @throws RefusedCell for words that are not all known
 */
export function unitOf(text: string): Unit {
  if (text === 'prohibited') return { ...PLAIN, kind: 'prohibited', hasLimit: false };
  if (text === 'no percentage given') return { ...PLAIN, hasLimit: false };
  if (/^% declaration threshold(?:, not a maximum)?$/.test(text)) return { ...PLAIN, kind: 'declare-above' };
  if (!text.startsWith('%')) throw new RefusedCell('unknown-unit', 'unit', text);
  if (/\d\s*%/.test(text)) throw new RefusedCell('two-numbers', 'unit', text);

  const [first = '', ...others] = text
    .slice(1)
    .split(',')
    .map((part) => part.trim());
  let unit = PLAIN;
  if (first !== '') unit = partOf(unit, first, text);
  for (const other of others) unit = partOf(unit, other, text);
  return unit;
}

function partOf(unit: Unit, part: string, text: string): Unit {
  // The limit of a single member applies to each one separately.
  if (part === 'single ester') return unit;
  if (SUM.test(part) && unit.sum === null) return { ...unit, sum: part };
  const basis = BARE_BASES[part] ?? BASIS.exec(part)?.groups?.basis;
  if (basis === undefined || unit.basis !== null) throw new RefusedCell('unknown-unit', 'unit', text);
  // An equivalent of one substance sums all substances that are equivalent to it.
  return { ...unit, basis, sum: part.endsWith(' equivalent') ? `sum as ${part}` : unit.sum };
}
