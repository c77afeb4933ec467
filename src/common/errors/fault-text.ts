/** Most faults that one error names. */
export const MAX_FAULTS = 20;

/**
 * Faults in one text: the first `MAX_FAULTS`, and how many there are in all where that is more.
 * @param total of all faults, where `faults` holds only the first
 */
export function joinFaults(faults: readonly string[], total = faults.length): string {
  const told = faults.slice(0, MAX_FAULTS).join('; ');
  return total > MAX_FAULTS ? `${told}; 共${total}处错误` : told;
}

/** A text of at most `max` UTF-16 units; what is cut off ends with `…`, and no character is cut in two. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
