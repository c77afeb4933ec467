import type { ImportMatch } from '../../files/compare-rows';
import { plainText } from '../../platform/common/name-forms';
import type { CieLab } from '../difference';
import type { ColorDraft } from './color-row';

type Values = Pick<
  ColorDraft,
  'name' | 'targetLab' | 'actualLab' | 'deltaE' | 'colorantComposition' | 'formulaId'
>;

const coordinates = (color: CieLab | null | undefined) => (color ? [color.L, color.a, color.b] : null);

/** Returns a text that is the same for colours with the same values. */
const valuesKey = ({ name, targetLab, actualLab, deltaE, colorantComposition, formulaId }: Values): string =>
  JSON.stringify([
    name.trim(),
    coordinates(targetLab),
    coordinates(actualLab),
    deltaE ?? null,
    colorantComposition ?? null,
    formulaId ?? null,
  ]);

/** Stored colours with the names of rows. Each colour is matched by at most one row. */
export class ColorsByName {
  private readonly byName = new Map<string, readonly ImportMatch[]>();
  /** Colours of the user that no row matches yet. */
  private readonly byValues = new Map<string, ImportMatch[]>();
  private readonly taken: ReadonlySet<string>;

  /**
   * @param owner id of the user who imports
   * @param taken ids of colours that other rows match
   */
  constructor(
    private readonly owner: string,
    taken: readonly string[],
  ) {
    this.taken = new Set(taken);
  }

  /** @param colors the stored colours of this name */
  add(name: string, colors: readonly ImportMatch[]): void {
    const free = colors.filter(({ id }) => !this.taken.has(id));
    this.byName.set(plainText(name), free);
    for (const color of free.filter(({ createdBy }) => createdBy === this.owner)) {
      const key = valuesKey(color as unknown as Values);
      const equal = this.byValues.get(key);
      if (equal) equal.push(color);
      else this.byValues.set(key, [color]);
    }
  }

  /** Returns the colours of a name: those of the user who imports, and all. */
  named(name: string): { own: ImportMatch[]; all: readonly ImportMatch[] } {
    const all = this.byName.get(plainText(name)) ?? [];
    return { own: all.filter(({ createdBy }) => createdBy === this.owner), all };
  }

  /** Returns a colour of the user that equals the row, if there is one. The next equal row gets another one. */
  takeEqual(draft: ColorDraft): ImportMatch[] {
    const equal = this.byValues.get(valuesKey(draft))?.shift();
    return equal ? [equal] : [];
  }
}
