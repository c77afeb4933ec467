import { type ImportPlan } from '../../common/import/run-import';
import { type ColorFormulaDto } from '../color.dto';
import { type Lab } from '../difference';
import { type ColorDraft } from './color-row';

/** A stored colour, as far as an import can change it. */
export type StoredColor = Pick<
  ColorFormulaDto,
  'id' | 'name' | 'targetLab' | 'actualLab' | 'deltaE' | 'colorantComposition'
>;

export type NewColor = Omit<StoredColor, 'id'>;

type ColorImportPlan = ImportPlan<NewColor, StoredColor>;

/** What is to be done with each draft and the stored colours of its name. */
export function planColorImport(
  drafts: readonly ColorDraft[],
  matches: readonly (readonly StoredColor[])[],
): ColorImportPlan {
  const plan: ColorImportPlan = { creations: [], changes: [], unchanged: 0, refused: [] };
  drafts.forEach((draft, index) => {
    const found = matches[index] ?? [];
    const [stored] = found;
    if (found.length > 1) {
      plan.refused.push({
        line: draft.line,
        reason: `${found.length} stored colours are named "${draft.name}"`,
      });
    } else if (!stored) {
      plan.creations.push(merged(draft));
    } else {
      const change = { ...merged(draft, stored), id: stored.id, name: stored.name };
      if (same(change, stored)) plan.unchanged++;
      else plan.changes.push(change);
    }
  });
  return plan;
}

function merged(draft: ColorDraft, stored?: StoredColor): NewColor {
  return {
    name: draft.name,
    targetLab: draft.targetLab,
    actualLab: draft.actualLab ?? stored?.actualLab ?? null,
    deltaE: draft.deltaE ?? stored?.deltaE ?? null,
    colorantComposition: draft.colorantComposition ?? stored?.colorantComposition ?? null,
  };
}

/** The order of keys counts: a composition is shown in the order in which it came. */
function same(x: StoredColor, y: StoredColor): boolean {
  const text = ({ targetLab, actualLab, deltaE, colorantComposition }: StoredColor) =>
    JSON.stringify([
      coordinates(targetLab),
      actualLab && coordinates(actualLab),
      deltaE,
      colorantComposition,
    ]);
  return text(x) === text(y);
}

const coordinates = ({ L, a, b }: Lab) => [L, a, b];
