import { nameKey, visibleText } from '../../platform/common/name-forms';
import { type Meanings, meaningsOf } from './everyday-names';
import { type Ungraded, withoutGrade } from './grade';

/** One interpretation of a name, with the keys to look up. */
export interface Reading {
  readonly name: string;
  readonly keys: readonly string[];
  readonly ungraded?: Ungraded;
  /** Substances that an everyday name stands for. */
  readonly meanings?: Meanings;
}

/** A name that is written twice, in brackets or with slashes: `Aqua (Water)`, `WATER/AQUA/EAU`. */
interface NameParts {
  readonly parts: readonly string[];
  /** The last part is in brackets, so it may be a remark and no name. */
  readonly isBracketed: boolean;
}

/** The readings of a name, and of its parts if it is written twice. */
export interface NameReadings extends Pick<NameParts, 'isBracketed'> {
  /** The likeliest first: as written, then without its grade. */
  readonly whole: readonly Reading[];
  readonly parts: readonly (readonly Reading[])[];
}

const MAX_PARTS = 4;
const BRACKETED = /^(.*\S)\s*[([]([^()[\]]+)[)\]]$/u;
const NUMBER_OF_REGISTER =
  /^(?:(?:cas|ec|einecs|elincs)(?:\s?(?:no|nr)(?!\p{L})|\s?number|\s?登记号|\s?编?号)?|no)[\s.:#]*(\d{2,7}-\d{2}-\d|\d{3}-\d{3}-\d)$/iu;

export function readingsOf(written: string, withEverydayNames: boolean): NameReadings {
  const { parts, isBracketed } = namesWithin(written);
  return {
    whole: wholeReadings(written, withEverydayNames),
    parts: parts.map((part) => wholeReadings(part, withEverydayNames)),
    isBracketed,
  };
}

function wholeReadings(written: string, withEverydayNames: boolean): Reading[] {
  const ungraded = withoutGrade(written);
  const names = [
    { name: withoutRegister(written) },
    ...(ungraded ? [{ name: ungraded.name, ungraded }] : []),
  ];
  return names.flatMap(({ name, ...grade }) => {
    const key = nameKey(name);
    const meanings = withEverydayNames ? meaningsOf(key) : [];
    const direct = { name, keys: [key], ...grade };
    return meanings.length > 0
      ? [direct, { name, keys: meanings.flat().map(nameKey), meanings, ...grade }]
      : [direct];
  });
}

/** Returns the parts of a name that is written twice, or none. */
export function namesWithin(written: string): NameParts {
  const name = visibleText(written).trim();
  const [, before, inner] = BRACKETED.exec(name) ?? [];
  if (before && inner) return { parts: [before, inner], isBracketed: true };
  const parts = name.split(/\s*[/|]\s*/u).filter((part) => part !== '');
  return { parts: parts.length > 1 && parts.length <= MAX_PARTS ? parts : [], isBracketed: false };
}

/** Removes the name of the register before a number: `CAS No. 56-81-5`. */
export const withoutRegister = (written: string): string =>
  NUMBER_OF_REGISTER.exec(visibleText(written).trim())?.[1] ?? written;
