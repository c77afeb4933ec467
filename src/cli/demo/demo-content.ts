import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { FUNCTION_CATEGORIES, type FunctionCategory } from '../../ingredients/function-category';
import type { CardDto } from '../../ingredients/cards/card.dto';
import type { SubstanceDto } from '../../ingredients/raw-materials/raw-material.dto';
import { type Limit } from '../../regulations/editions/limit.entity';
import type { ReplaceProfileDto } from '../../formulas/profile/profile.fields';
import { PRODUCT_TYPES } from '../../formulas/product-types';
import cards from './cards.json';
import casNumbers from './cas-numbers.json';
import colors from './colors.json';
import compositions from './compositions.json';
import earlierVersions from './earlier-versions.json';
import formulas from './formulas.json';
import ingredients from './ingredients.json';
import limits from './limits.json';
import profiles from './profiles.json';
import projects from './projects.json';

/*
 * The demo laboratory as data. It is a teaching set: prices are indicative, suppliers are invented, and every
 * formula must be tested before anything like it is used on skin or sold.
 *
 * Prices are in CNY per unit, and null if suppliers quote them on request.
 *
 * INCI names are in the European (CosIng) form, Chinese names are those of the Chinese inventory of existing
 * cosmetic ingredients (IECIC 2021); a colour index number has its common Chinese name before the number.
 * Percentages are by mass, of the raw material as delivered (a 30 % solution counts in full, unless its card has
 * a strength).
 */

export interface DemoPhase {
  name: string;
  sortOrder: number;
  ingredients: {
    /** INCI name of an ingredient of the demo catalogue. */
    inciName: string;
    percentage: number;
    processNotes: string | null;
  }[];
}

export type DemoFormula = (typeof formulas)[number];
export type DemoIngredient = DemoContent['ingredients'][number];
export type DemoContent = typeof demoContent;

export const DEMO_USERNAME = 'demo';

/** All demo content, in the order in which the `demo` command loads it. */
export const demoContent = {
  /** Ids of records that the OpenAPI document's examples name, by name. */
  ids: {
    [DEMO_USERNAME]: EXAMPLE_IDS.user,
    Glycerin: EXAMPLE_IDS.ingredient,
    'Butylene Glycol': EXAMPLE_IDS.otherIngredient,
    [projects[0]!.name]: EXAMPLE_IDS.project,
    [earlierVersions[0]!.formulaName]: EXAMPLE_IDS.formula,
    [colors.find(({ formulaName }) => formulaName !== null)!.name]: EXAMPLE_IDS.color,
    [limits.name]: EXAMPLE_IDS.limitEdition,
  } as Readonly<Record<string, string>>,
  projects,
  ingredients: ingredients.map((ingredient) => ({
    ...ingredient,
    functionCategory: toCategory(ingredient.functionCategory),
  })),
  /** CAS numbers of ingredients that are one substance, by INCI name. */
  casNumbers: casNumbers as Readonly<Record<string, string>>,
  /** The substances of raw materials, as their suppliers state them. */
  compositions: compositions as { inciName: string; substances: SubstanceDto[] }[],
  /** Cards of raw materials, with what their suppliers state. */
  cards: cards as { inciName: string; card: CardDto }[],
  formulas,
  /** The products that some formulas are for. */
  profiles: profiles as { formulaName: string; profile: ReplaceProfileDto }[],
  /** The versions of formulas before those in `formulas`, and the reason for the latest one. */
  histories: earlierVersions,
  /** CIELAB, D65, 10° observer, with CIEDE2000 between target and measurement. Shares of a blend total 1. */
  colors,
  /** A table of limits that exists only in the demo laboratory. */
  edition: {
    name: limits.name,
    limits: limits.limits.map((limit) => ({
      ...limit,
      kind: limit.kind as Limit['kind'],
      productTypes:
        limit.productTypes === 'all' ? PRODUCT_TYPES : (limit.productTypes as Limit['productTypes']),
      source: limits.source,
    })),
  },
};

function toCategory(text: string): FunctionCategory {
  const category = FUNCTION_CATEGORIES.find((known) => known === text);
  if (!category) throw new Error(`The demo content has the unknown category "${text}"`);
  return category;
}
