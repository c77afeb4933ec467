/** A name that is written twice, in brackets or with slashes: `Aqua (Water)`, `WATER/AQUA/EAU`. */
export interface NameParts {
  readonly parts: readonly string[];
  /** The last part is in brackets, so it may be a remark and no name. */
  readonly isBracketed: boolean;
}

const MAX_PARTS = 4;
const BRACKETED = /^(.*\S)\s*[([]([^()[\]]+)[)\]]$/u;
const NUMBER_OF_REGISTER =
  /^(?:(?:cas|ec|einecs|elincs)(?:\s?(?:no|nr)(?!\p{L})|\s?number|\s?登记号|\s?编?号)?|no)[\s.:#]*(\d{2,7}-\d{2}-\d|\d{3}-\d{3}-\d)$/iu;

/** Returns the parts of a name that is written twice, or none. */
export function partsOf(written: string): NameParts {
  const name = written.normalize('NFKC').trim();
  const [, before, inner] = BRACKETED.exec(name) ?? [];
  if (before && inner) return { parts: [before, inner], isBracketed: true };
  const parts = name.split(/\s*[/|]\s*/u).filter((part) => part !== '');
  return { parts: parts.length > 1 && parts.length <= MAX_PARTS ? parts : [], isBracketed: false };
}

/** Removes the name of the register before a number: `CAS No. 56-81-5`. */
export const withoutRegister = (written: string): string =>
  NUMBER_OF_REGISTER.exec(written.normalize('NFKC').trim())?.[1] ?? written;
