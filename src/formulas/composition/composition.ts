import type { Solvent, SupplierEntry } from '../../ingredients/cards/card.dto';
import type { CompositionDto, IngredientLineDto, PhaseDto } from '../formula.dto';
import type { NamedIngredientDto } from '../formula.fields';
import type { Profile } from '../profile/profile.fields';

/** The composition of one version of a formula, in the order of work. */
export interface Composition {
  readonly formulaId: string;
  readonly formulaName: string;
  readonly versionNumber: number;
  readonly createdAt: string;
  /** Of the formula; null if it has none. */
  readonly profile: Profile | null;
  readonly phases: readonly CompositionPhase[];
}

export interface CompositionPhase {
  readonly name: string;
  readonly sortOrder: number;
  readonly ingredients: readonly CompositionLine[];
}

export interface CompositionLine {
  readonly id: string;
  readonly ingredientId: string;
  readonly ingredient: NamedIngredient;
  /** Percent of the formula. */
  readonly percentage: number;
  readonly processNotes: string | null;
  /** The catalogue's current entry; null if the reader may not see the ingredient. */
  readonly catalogue: CatalogueEntry | null;
}

export type NamedIngredient = Readonly<NamedIngredientDto>;

export interface CatalogueEntry {
  readonly functionCategory: string;
  /** The unit of the price, as entered: `kg`, `25 kg`, `公斤`. */
  readonly unit: string;
  /** Currency per unit. */
  readonly unitPrice: number | null;
  /** CAS numbers among the other names of the ingredient. */
  readonly casNumbers: readonly string[];
  readonly card: CatalogueCard | null;
}

/** What the card of an ingredient says. */
export interface CatalogueCard {
  /** Kilograms per litre. */
  readonly density: number | null;
  /** Percent of the raw material that its INCI name is; the rest is the solvent. */
  readonly strength: number | null;
  readonly solvent: Solvent | null;
  /** The preferred one. */
  readonly supplier: SupplierEntry | null;
}

export const linesOf = ({ phases }: Composition): CompositionLine[] =>
  phases.flatMap(({ ingredients }) => [...ingredients]);

/** A phase of a request or of a stored version. */
export interface ReadPhase extends Omit<PhaseDto, 'ingredients'> {
  readonly ingredients: readonly IngredientLineDto[];
}

/** The composition of a stored version as a request has it: without ids and names. */
export const toCompositionDto = ({ phases }: { phases: readonly ReadPhase[] }): CompositionDto => ({
  phases: phases.map(({ name, sortOrder, ingredients }) => ({
    name,
    sortOrder,
    ingredients: ingredients.map(({ ingredientId, percentage, processNotes }) => ({
      ingredientId,
      percentage,
      processNotes,
    })),
  })),
});
