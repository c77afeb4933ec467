import { casNumbersIn, namesOf, oneLine } from './cells';
import { RefusedCell, type RawLimit } from './limit-draft';
import { purposeOf, tableKind } from './annexes';
import { percentOf } from './limit-number';
import type { LimitRow } from './limit-columns';
import { beginsOn } from './market-dates';
import { unitOf } from './units';

const NO_PRODUCT_TYPE = 'all (no product type given)';
const GROUP_NAME = /declare under the group name '([^']+)'/;

/**
 * A row of a table that has `unit/as` beside the number: `0.5`, `% as acid, sum`.
 * @throws RefusedCell
 */
export function readSampleRow({ line, cell }: LimitRow): RawLimit {
  const region = cell('region').toLowerCase();
  const annex = cell('annex');
  if (region === '') throw new RefusedCell('region-missing', 'region');
  if (annex === '') throw new RefusedCell('annex-unknown', 'annex');
  const inciNames = namesOf(cell('inciNames').split(';'));
  const casNumbers = casNumbersIn(cell('casNumbers'));
  if (inciNames.length === 0 && casNumbers.length === 0)
    throw new RefusedCell('no-name-and-no-cas', 'inciNames');

  const entry = cell('entry');
  const unitText = oneLine(cell('unit'));
  const number = cell('limitPercent');
  const unit = unitOf(unitText);
  const conditions = cell('conditions') || null;
  const scope = oneLine(cell('scope')) || NO_PRODUCT_TYPE;
  const kind = unit.kind ?? tableKind(region, annex);
  const limitPercent = limitOf(number, unit.hasLimit, kind === 'prohibited');
  const group = kind === 'declare-above' ? GROUP_NAME.exec(conditions ?? '')?.[1] : undefined;
  return {
    line,
    region,
    annex,
    entry,
    tier: null,
    substance: oneLine(cell('substance')) || inciNames[0] || casNumbers[0]!,
    inciNames,
    casNumbers,
    kind,
    scope,
    limitPercent,
    limitText: limitPercent === null ? unitText || null : `${number} ${unitText}`,
    basis: unit.basis,
    factor: null,
    sum: group === undefined ? unit.sum : `declared together as ${group}`,
    purpose: purposeOf(region, annex),
    conditions,
    // A date beside a duty to declare is that of products on the shelf.
    validFrom: kind === 'declare-above' ? null : beginsOn(conditions),
    validUntil: null,
    source: cell('source') || missingSource(),
  };
}

function limitOf(number: string, hasLimit: boolean, isProhibited: boolean): string | null {
  if (hasLimit && number === '') throw new RefusedCell('limit-missing', 'limitPercent');
  if (!hasLimit && number !== '') {
    throw new RefusedCell(isProhibited ? 'limit-of-prohibited' : 'unknown-unit', 'limitPercent', number);
  }
  return hasLimit ? percentOf(number, 'limitPercent') : null;
}

function missingSource(): never {
  throw new RefusedCell('source-missing', 'source');
}
