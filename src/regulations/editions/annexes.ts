import type { LimitKind } from '../limit';

/** The kind and purpose of a region's list. */
interface List {
  readonly kind: LimitKind;
  readonly purpose: string | null;
}

const EU: Readonly<Record<string, List>> = {
  II: { kind: 'prohibited', purpose: null },
  IV: { kind: 'permitted-only', purpose: 'colorant' },
  V: { kind: 'permitted-only', purpose: 'preservative' },
  VI: { kind: 'permitted-only', purpose: 'UV filter' },
};

/** Tables of the Chinese Safety and Technical Standards for Cosmetics, by number. */
const CN: Readonly<Record<string, List>> = {
  1: { kind: 'prohibited', purpose: null },
  2: { kind: 'prohibited', purpose: null },
  4: { kind: 'permitted-only', purpose: 'preservative' },
  5: { kind: 'permitted-only', purpose: 'UV filter' },
  6: { kind: 'permitted-only', purpose: 'colorant' },
  7: { kind: 'permitted-only', purpose: 'hair dye' },
};

function listOf(region: string, annex: string): List | undefined {
  const lists = region === 'cn' ? CN : EU;
  const name = region === 'cn' ? (/\btable (\d)$/.exec(annex)?.[1] ?? '') : annex;
  return Object.hasOwn(lists, name) ? lists[name] : undefined;
}

/** Returns the kind of a row that does not state it. */
export const tableKind = (region: string, annex: string): LimitKind =>
  listOf(region, annex)?.kind ?? 'maximum';

export const purposeOf = (region: string, annex: string): string | null =>
  listOf(region, annex)?.purpose ?? null;
