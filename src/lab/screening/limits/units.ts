import type { LimitKind } from '../limit';
import { RefusedCell } from './limit-draft';

/** What the words beside a number say of it. */
export interface Unit {
  /** Undefined where the table as a whole says it. */
  readonly kind?: LimitKind;
  readonly hasLimit: boolean;
  readonly basis: string | null;
  /** What is added together, in words. */
  readonly sum: string | null;
}

const PLAIN: Unit = { hasLimit: true, basis: null, sum: null };

/** Words of a sum, with a comma or a blank before them. */
const SUM =
  /^(?:sum(?: (?:of|with) .+)?|all uses of .+ together|alone or combined with .+|.+ alone or with .+|[^,]+ \+ [^,]+)$/;
const BASIS = /^(?:as|of(?: the)?) (?<basis>[^,%]+)$/;
/** Without a word such as `as`. */
const BARE_BASES: Readonly<Record<string, string>> = {
  'retinol equivalent': 'retinol',
  'H2O2 present or released': 'H2O2 present or released',
  'after mixing': 'after mixing',
};

/**
 * Reads the words that follow a number: `%`, `% as acid, sum of esters`.
 * @throws RefusedCell for words that are not all understood
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
  // One of several together is the limit of each by itself.
  if (part === 'single ester') return unit;
  if (SUM.test(part) && unit.sum === null) return { ...unit, sum: part };
  const basis = BARE_BASES[part] ?? BASIS.exec(part)?.groups?.basis;
  if (basis === undefined || unit.basis !== null) throw new RefusedCell('unknown-unit', 'unit', text);
  // An equivalent of one substance counts all that is equivalent together.
  return { ...unit, basis, sum: part.endsWith(' equivalent') ? `sum as ${part}` : unit.sum };
}
