import type { CompositionDto } from '../formula.dto';
import type { NamedIngredientDto } from '../formula.fields';

/** The composition of one version of a formula, in the order of work. */
export interface Composition {
  readonly formulaId: string;
  readonly formulaName: string;
  readonly versionNumber: number;
  readonly createdAt: string;
  readonly phases: readonly CompositionPhase[];
}

export interface CompositionPhase {
  readonly name: string;
  readonly sortOrder: number;
  readonly lines: readonly CompositionLine[];
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
}

export const linesOf = ({ phases }: Composition): CompositionLine[] => phases.flatMap(({ lines }) => lines);

/** The composition as a request has it. */
export const compositionDtoOf = ({ phases }: Composition): CompositionDto => ({
  phases: phases.map(({ name, sortOrder, lines }) => ({
    name,
    sortOrder,
    ingredients: lines.map(({ ingredientId, percentage, processNotes }) => ({
      ingredientId,
      percentage,
      processNotes,
    })),
  })),
});
