import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainText } from '../platform/common/name-forms';
import { type FunctionCategory } from './function-category';

interface CosingRule {
  category: FunctionCategory;
  /** The rule applies if the ingredient has one of these functions … */
  any: readonly string[];
  /** … and, if given, also one of these … */
  with?: readonly string[];
  /** … and, if true, no function outside `any`. */
  isOnly?: boolean;
  /** Reason for the rule's position. */
  reason?: string;
}

/**
 * Maps the functions of the European Commission's CosIng inventory to the twelve categories of this service.
 *
 * CosIng lists the functions of an ingredient alphabetically, so their order does not show which one
 * matters. A fixed priority decides: first regulated functions (UV filters, colorants, preservatives),
 * then the functions for which an ingredient is bought, and last side effects that nearly all
 * ingredients have (masking, solvent, skin conditioning). The table overrides the rules for well-known
 * ingredients that would get a category in which no formulator looks for them, and for some that are
 * too important to depend on one edition of the inventory (water, the alkalis, the mineral UV filters).
 */
const TABLE = JSON.parse(readFileSync(join(__dirname, 'cosing-categories.json'), 'utf8')) as {
  /**
   * Functions are compared in lower case, with British spelling (see `normaliseFunction`). The first
   * rule that applies is used.
   */
  rules: CosingRule[];
  /** Together with the functions of the rules, these are all known functions. */
  functionsWithoutCategory: string[];
  categoriesByInciName: Record<FunctionCategory, string[]>;
};

export const COSING_RULES: readonly CosingRule[] = TABLE.rules;

const KNOWN_FUNCTIONS = new Set([
  ...TABLE.rules.flatMap((rule) => [...rule.any, ...(rule.with ?? [])]),
  ...TABLE.functionsWithoutCategory,
]);

const CATEGORY_BY_INCI_NAME: ReadonlyMap<string, FunctionCategory> = new Map(
  Object.entries(TABLE.categoriesByInciName).flatMap(([category, names]) =>
    names.map((name): [string, FunctionCategory] => [plainText(name), category as FunctionCategory]),
  ),
);

/**
 * Colour Index names ("CI 77891", also with a lake suffix "CI 15850:1") are colorants, regardless of their functions.
 */
const COLOUR_INDEX_NAME = /^CI\s?\d{5}(:\d)?$/i;

export interface CosingCategory {
  category: FunctionCategory;
  /** Names of functions that CosIng does not have. They are probably typing errors and are reported, but not fatal. */
  unknownFunctions: string[];
}

/**
 * Returns the category of an ingredient with these CosIng functions, or `other` if no rule applies.
 * @param inciName    in any case
 * @param functions   the inventory's text, separated by commas or semicolons, in any order and case; may be empty
 */
export function categoryFromCosing(inciName: string, functions: string): CosingCategory {
  const names = functions
    .split(/[,;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const present = new Set(names.map(normaliseFunction));
  const unknownFunctions = names.filter((name) => !KNOWN_FUNCTIONS.has(normaliseFunction(name)));

  const name = plainText(inciName);
  if (COLOUR_INDEX_NAME.test(name)) return { category: 'colorant', unknownFunctions };
  const override = CATEGORY_BY_INCI_NAME.get(name);
  if (override) return { category: override, unknownFunctions };

  const has = (list: readonly string[]) => list.some((entry) => present.has(entry));
  const rule = COSING_RULES.find(
    ({ any, with: also, isOnly }) =>
      has(any) &&
      (also === undefined || has(also)) &&
      (!isOnly || [...present].every((entry) => any.includes(entry))),
  );
  return { category: rule?.category ?? 'other', unknownFunctions };
}

/**
 * Makes "Emulsion Stabilizing" equal to "EMULSION STABILISING", and "surfactant-cleansing" to
 * "Surfactant – Cleansing".
 */
function normaliseFunction(name: string): string {
  return name
    .toLowerCase()
    .replace(
      /\s*[-–]\s*(?=(cleansing|emulsifying|foam|hydrotrope|dispersing|solubili|emollient|humectant|occlusive|misc))/,
      ' - ',
    )
    .replace(/(stabil|moistur|oxid)izing/g, '$1ising')
    .replace(/plasticizer/g, 'plasticiser')
    .replace(/solubilising/g, 'solubilizing')
    .replace(/colour/g, 'color')
    .replace(/flavoring/g, 'flavouring')
    .replace(/light stabiliser/g, 'light stabilizer')
    .replace(/\s+/g, ' ')
    .trim();
}
