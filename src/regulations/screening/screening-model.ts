import type Big from 'big.js';
import type { CompositionLine } from '../../formulas/composition/composition';
import type { Expansion } from '../../formulas/composition/expansion';
import type { SubstanceRole } from '../../ingredients/raw-materials/substance';
import type { Limit, Refusal } from '../editions/limit.entity';
import type { ScreeningDto, ScreeningQuery } from './screening.dto';

/** The share that one line of the formula contributes, at most. */
export interface ScreenedOrigin {
  readonly phase: string;
  readonly line: CompositionLine;
  readonly share: Big;
  readonly role: SubstanceRole | null;
}

/** A subject of the screening: a substance, or a blend of unknown composition with its own name. */
export interface Subject {
  readonly key: string;
  readonly inciName: string;
  readonly isNano: boolean;
  readonly casNumbers: readonly string[];
  /** Percent of the formula, at most. */
  readonly amount: Big;
  /** True if the amount is the maximum of a range. */
  readonly isRange: boolean;
  readonly origins: readonly ScreenedOrigin[];
  /** Its share of the mixture before use. */
  readonly mixed?: MixedShare;
}

export interface MixedShare {
  /** Percent of the mixture times `parts`, which is exact. */
  readonly amount: Big;
  /** Parts of the mixture for one part of the product. */
  readonly parts: Big;
  /** True if the other part of the mixture may contain more of it. */
  readonly isLowerBound: boolean;
  /** True if the product itself does not contain it. */
  readonly isOnlyOther: boolean;
}

/** What the product is mixed with before use. */
export interface Mixture {
  /** Its parts by mass for one part of the product. */
  readonly ratio: number;
  /** Undefined if nothing is known of its substances. */
  readonly expansion: Expansion | undefined;
  /** True if it may contain more than `expansion`. */
  readonly isPartial: boolean;
}

/** How a substance was found in a row of the table. */
export interface RowMatch {
  readonly by: 'inci-name' | 'cas-number';
  readonly value: string;
  /** True for the nano form of a substance in a row that names only another form. */
  readonly isOtherForm: boolean;
}

/** A substance that a finding counts. */
export interface CountedSubstance {
  readonly subject: Subject;
  /** Null if only the name of the group was found. */
  readonly match: RowMatch | null;
  /** Percent of the basis in one percent of the substance; null if it is unknown. */
  readonly factor: Big | null;
}

/** The result of comparing substances with rows of the table. */
export interface Finding extends Pick<ScreeningDto['results'][number], 'result' | 'missing' | 'notes'> {
  /** The row, or all rows of the entry if none of them is for this use. Empty if nothing matched. */
  readonly limits: readonly Limit[];
  readonly substances: readonly CountedSubstance[];
  /** Percent of the formula, on the basis of the limit; with `not-converted` unchanged. Null if no table is loaded. */
  readonly amount: Big | null;
}

/** A part of the formula whose substances were not examined. */
export interface UnexaminedPart extends Pick<
  ScreeningDto['notExamined']['parts'][number],
  'inciName' | 'reason'
> {
  readonly amount: Big;
  readonly origins: readonly ScreenedOrigin[];
}

export interface UpcomingLimit {
  readonly limit: Limit;
  readonly substances: readonly Subject[];
}

export interface Screening {
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** Rows for substances of the formula that become valid after the day of the screening. */
  readonly upcoming: readonly UpcomingLimit[];
  readonly unexamined: readonly UnexaminedPart[];
  /** Rows that were refused when the table was loaded, with the substances that they may name. */
  readonly refused: readonly { readonly row: Refusal; readonly subjects: readonly Subject[] }[];
  /** The number of substances. */
  readonly substanceCount: number;
}

export interface ScreeningConditions extends Pick<ScreeningQuery, 'productType' | 'purpose'> {
  /** A day such as `2026-12-31`. */
  readonly on: string;
  readonly mixture?: Mixture;
}
