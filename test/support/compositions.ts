import { randomUUID } from 'node:crypto';
import type {
  CatalogueEntry,
  Composition,
  CompositionLine,
} from '../../src/formulas/composition/composition';

interface LineInput extends Partial<Omit<CompositionLine, 'catalogue'>> {
  percentage: number;
  catalogue?: Partial<CatalogueEntry> | null;
}

/** A composition of these phases of lines, with as little as a test says. */
export const compositionOf = (...phases: LineInput[][]): Composition => ({
  formulaId: randomUUID(),
  formulaName: '保湿霜',
  versionNumber: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  profile: null,
  phases: phases.map((lines, at) => ({
    name: `相${at + 1}`,
    sortOrder: at + 1,
    ingredients: lines.map((line) => lineOf(line)),
  })),
});

function lineOf({ catalogue = {}, ...line }: LineInput): CompositionLine {
  const ingredientId = randomUUID();
  return {
    id: randomUUID(),
    ingredientId,
    ingredient: { id: ingredientId, inciName: 'Glycerin', chineseName: '甘油' },
    processNotes: null,
    catalogue: catalogue && {
      functionCategory: 'other',
      unit: 'kg',
      unitPrice: null,
      casNumbers: [],
      card: null,
      ...catalogue,
    },
    ...line,
  };
}
