import type { CieLab } from '../../colors/difference';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { FUNCTION_CATEGORIES, type FunctionCategory } from '../../ingredients/function-category';
import type { SubstanceDto } from '../../ingredients/raw-materials/raw-material.dto';
import { type Limit, PRODUCT_TYPES } from '../../regulations/editions/limit.entity';
import casNumbers from './cas-numbers.json';
import colors from './colors.json';
import compositions from './compositions.json';
import earlierVersions from './earlier-versions.json';
import formulas from './formulas.json';
import ingredients from './ingredients.json';
import limits from './limits.json';
import projects from './projects.json';

/*
 * The demo laboratory as data. It is a teaching set: prices are indicative, suppliers are invented, and every
 * formula must be tested before anything like it is used on skin or sold.
 *
 * INCI names are in the European (CosIng) form, Chinese names are those of the Chinese inventory of existing
 * cosmetic ingredients (IECIC 2021); a colour index number has its common Chinese name before the number.
 * Percentages are by mass, of the raw material as delivered (a 30 % solution counts in full).
 */

export interface DemoIngredient {
  inciName: string;
  chineseName: string;
  functionCategory: FunctionCategory;
  supplier: string | null;
  unit: string;
  /** CNY per unit, indicative; null if suppliers quote it on request. */
  unitPrice: number | null;
  description: string;
}

export interface DemoProject {
  name: string;
  description: string;
}

export interface DemoLine {
  /** INCI name of an ingredient of the demo catalogue. */
  inciName: string;
  percentage: number;
  processNotes: string | null;
}

export interface DemoPhase {
  name: string;
  sortOrder: number;
  ingredients: DemoLine[];
}

export interface DemoFormula {
  name: string;
  /** Name of a project of the demo laboratory. */
  projectName: string;
  description: string;
  phases: DemoPhase[];
}

/** The substances of a raw material, as stated by its supplier. */
export interface DemoComposition {
  /** INCI name of an ingredient of the demo catalogue. */
  inciName: string;
  substances: SubstanceDto[];
}

/** The versions of a formula before the one in `formulas`. */
export interface DemoHistory {
  formulaName: string;
  versions: { description: string | null; phases: DemoPhase[] }[];
  /** The reason for the latest version. */
  latestDescription: string;
}

export interface DemoColor {
  name: string;
  /** CIELAB, D65, 10° observer. */
  targetLab: CieLab;
  actualLab: CieLab | null;
  /** CIEDE2000 between target and measurement, two decimals; null without a measurement. */
  deltaE: number | null;
  /** Shares of the pigment blend, by mass; they total 1. */
  colorantComposition: { name: string; ratio: number }[];
  /** Name of the demo formula that uses this shade. */
  formulaName: string | null;
}

/** A table of limits that exists only in the demo laboratory. */
export interface DemoEdition {
  name: string;
  limits: Omit<Limit, 'id' | 'editionId'>[];
}

export interface DemoContent {
  /** Ids of records that the OpenAPI document's examples name, by name. */
  ids: Readonly<Record<string, string>>;
  projects: DemoProject[];
  ingredients: DemoIngredient[];
  /** CAS numbers of ingredients that are one substance, by INCI name. */
  casNumbers: Readonly<Record<string, string>>;
  compositions: DemoComposition[];
  formulas: DemoFormula[];
  histories: DemoHistory[];
  colors: DemoColor[];
  edition: DemoEdition;
}

export const DEMO_USERNAME = 'demo';

/** All demo content, in the order in which the `demo` command loads it. */
export const demoContent: DemoContent = {
  ids: {
    [DEMO_USERNAME]: EXAMPLE_IDS.user,
    Glycerin: EXAMPLE_IDS.ingredient,
    'Butylene Glycol': EXAMPLE_IDS.otherIngredient,
    [projects[0]!.name]: EXAMPLE_IDS.project,
    [earlierVersions[0]!.formulaName]: EXAMPLE_IDS.formula,
    [colors.find(({ formulaName }) => formulaName !== null)!.name]: EXAMPLE_IDS.color,
    [limits.name]: EXAMPLE_IDS.limitEdition,
  },
  projects,
  ingredients: ingredients.map((ingredient) => ({
    ...ingredient,
    functionCategory: toCategory(ingredient.functionCategory),
  })),
  casNumbers,
  compositions: compositions as DemoComposition[],
  formulas,
  histories: earlierVersions,
  colors,
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
