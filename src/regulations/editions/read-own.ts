import { LIMIT_KINDS, type LimitKind } from './limit.entity';
import { PRODUCT_TYPES, type ProductType } from '../../formulas/product-types';
import Big from 'big.js';
import { casFault, plainNumber } from '../../ingredients/raw-materials/registry-numbers';
import {
  basisIn,
  beginsOn,
  casNumbersIn,
  LIMIT_UNIT,
  namesOf,
  oneLine,
  percentOf,
  purposeOf,
  type RawLimit,
  readDay,
  RefusedCell,
  tableKind,
  unitOf,
  type LimitRow,
} from './limit-cells';

const LISTED = /\s*[;\n]\s*/;

/**
 * Reads a row of our own table.
 * @throws RefusedCell
 */
export function readOwnRow({ line, cell }: LimitRow): RawLimit {
  const { region, annex } = tableIn(cell);
  const inciNames = namesOf(cell('inciNames').split(LISTED));
  const casNumbers = casNumbersOf(cell('casNumbers'));
  const sumGroup = cell('sumGroup') || null;
  if (inciNames.length === 0 && casNumbers.length === 0 && sumGroup === null)
    throw new RefusedCell('no-name-and-no-cas', 'inciNames');
  if (cell('source') === '') throw new RefusedCell('source-missing', 'source');

  const kind = kindOf(cell('kind'));
  const [, ownNumber = cell('limitPercent'), words = ''] = NUMBER_AND_BASIS.exec(cell('limitPercent')) ?? [];
  const basis = basisIn(cell('basis')) ?? (cell('basis') || (basisIn(words) ?? ''));
  const { limitPercent, limitText } = ownLimit(kind, ownNumber, basis);
  const [validFrom, validUntil] = [dayOf('validFrom', cell), dayOf('validUntil', cell)];
  if (validFrom !== null && validUntil !== null && validUntil < validFrom) {
    throw new RefusedCell('reversed-dates', 'validUntil', cell('validUntil'));
  }
  const scope = oneLine(cell('productTypes') || cell('scope')) || null;
  const productTypes = typesOf(scope);
  return {
    line,
    region,
    annex,
    entry: cell('entry'),
    tier: cell('tier') || null,
    substance: oneLine(cell('substance')) || inciNames[0] || casNumbers[0] || sumGroup!,
    inciNames,
    casNumbers,
    kind,
    scope,
    ...(productTypes && { productTypes }),
    limitPercent,
    limitText,
    basis: basis || null,
    factor: factorOf(cell('factor')),
    sum: null,
    sumGroup,
    purpose: cell('purpose') || purposeOf(region, annex),
    conditions: cell('conditions') || null,
    validFrom,
    validUntil,
    source: cell('source'),
  };
}

/** `0,5 % (acid)`, where the cell of the basis is empty. */
const NUMBER_AND_BASIS = /^([^%]+%)\s*(\([^()]+\)|(?:expressed |calculated )?as .+)$/i;

function tableIn(cell: LimitRow['cell']): { region: string; annex: string } {
  const [region, annex] = [cell('region').toLowerCase(), cell('annex')];
  if (region === '') throw new RefusedCell('region-missing', 'region');
  if (annex === '') throw new RefusedCell('annex-unknown', 'annex');
  return { region, annex };
}

function kindOf(text: string): LimitKind {
  const kind = LIMIT_KINDS.find((known) => known === text.toLowerCase());
  if (kind === undefined) throw new RefusedCell('unknown-kind', 'kind', text);
  return kind;
}

function casNumbersOf(text: string): string[] {
  const numbers = plainNumber(text)
    .split(/[\s;,/]+/)
    .filter((number) => number !== '' && number !== '-');
  const wrong = numbers.find((number) => casFault(number) !== undefined);
  if (wrong !== undefined) throw new RefusedCell('wrong-cas-number', 'casNumbers', wrong);
  return [...new Set(numbers)];
}

function ownLimit(kind: LimitKind, text: string, basis: string) {
  if (text === '') {
    if (kind === 'maximum' || kind === 'declare-above')
      throw new RefusedCell('limit-missing', 'limitPercent');
    return { limitPercent: null, limitText: null };
  }
  if (kind === 'prohibited') throw new RefusedCell('limit-of-prohibited', 'limitPercent', text);
  const number = text.replace(/\s*%$/, '');
  const amount = LIMIT_UNIT.test(number) ? number : `${number} %`;
  return {
    limitPercent: percentOf(text, 'limitPercent'),
    limitText: basis === '' ? amount : `${amount} as ${basis}`,
  };
}

/** Percent of the basis in one percent of the substance. It is far below 1 for some salts and hydrates. */
function factorOf(text: string): string | null {
  if (text === '') return null;
  if (!/^\d{1,4}(?:\.\d{1,12})?$/.test(text) || new Big(text).lte(0)) {
    throw new RefusedCell('not-a-factor', 'factor', text);
  }
  return new Big(text).toFixed();
}

function dayOf(field: 'validFrom' | 'validUntil', cell: LimitRow['cell']): string | null {
  const text = cell(field);
  if (text === '') return null;
  const day = readDay(text);
  if (day === undefined) throw new RefusedCell('not-a-date', field, text);
  return day;
}

/** Returns product types if the cell contains only names of them. */
function typesOf(text: string | null): ProductType[] | undefined {
  const names = (text ?? '').split(/\s*[;,]\s*/).filter(Boolean);
  const types = names.map((name) => PRODUCT_TYPES.find((known) => known === name.toLowerCase()));
  return types.length > 0 && types.every((type) => type !== undefined) ? [...new Set(types)] : undefined;
}

const NO_PRODUCT_TYPE = 'all (no product type given)';
const GROUP_NAME = /declare under the group name '([^']+)'/;

/**
 * A row of a table that has `unit/as` beside the number: `0.5`, `% as acid, sum`.
 * @throws RefusedCell
 */
export function readSampleRow({ line, cell }: LimitRow): RawLimit {
  const { region, annex } = tableIn(cell);
  const inciNames = namesOf(cell('inciNames').split(';'));
  const casNumbers = casNumbersIn(cell('casNumbers'));
  if (inciNames.length === 0 && casNumbers.length === 0)
    throw new RefusedCell('no-name-and-no-cas', 'inciNames');

  const entry = cell('entry');
  const unitText = oneLine(cell('unit'));
  const otherUnit = /^(?:‰|g\/kg|ppm|mg\/kg)/.exec(unitText)?.[0] ?? '';
  const number = `${cell('limitPercent')}${otherUnit}`;
  const unit = unitOf(otherUnit ? `%${unitText.slice(otherUnit.length)}` : unitText);
  const conditions = cell('conditions') || null;
  const scope = oneLine(cell('scope')) || NO_PRODUCT_TYPE;
  const kind = unit.kind ?? tableKind(region, annex);
  const limitPercent = sampleLimit(number, unit.hasLimit, kind === 'prohibited');
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
    limitText:
      limitPercent === null ? unitText || null : `${cell('limitPercent').replace(/\s*%$/, '')} ${unitText}`,
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

function sampleLimit(number: string, hasLimit: boolean, isProhibited: boolean): string | null {
  if (hasLimit && number === '') throw new RefusedCell('limit-missing', 'limitPercent');
  if (!hasLimit && number !== '') {
    throw new RefusedCell(isProhibited ? 'limit-of-prohibited' : 'unknown-unit', 'limitPercent', number);
  }
  return hasLimit ? percentOf(number, 'limitPercent') : null;
}

function missingSource(): never {
  throw new RefusedCell('source-missing', 'source');
}
