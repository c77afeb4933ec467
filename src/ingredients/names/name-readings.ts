import { nameKey, visibleText } from '../../platform/common/name-forms';
import { isFunction } from '../../formula-text/names';
import { bareCiNumber, plainNumber } from '../raw-materials/registry-numbers';
import { type Meanings, meaningsOf, NAMESAKES } from './everyday-names';
import { type Ungraded, withoutGrade } from './grade';
import { macrogolsOf } from './macrogols';

/** One interpretation of a name, with the keys to look up. */
export interface Reading {
  readonly name: string;
  readonly keys: readonly string[];
  readonly ungraded?: Ungraded;
  /** Substances that an everyday name stands for. */
  readonly meanings?: Meanings;
  /** Keys of all names of the only substance that an everyday name means. */
  readonly namesakes?: readonly string[];
  /** The name counts only where the laboratory has given it to an ingredient. */
  readonly isGivenOnly?: boolean;
}

/** A name that is written twice, in brackets or with slashes: `Aqua (Water)`, `WATER/AQUA/EAU`. */
interface NameParts {
  readonly parts: readonly string[];
  /** The last part is in brackets. */
  readonly isBracketed: boolean;
  /** It says nothing else of the substance: what it is for, or a number of a register. */
  readonly hasRemark: boolean;
}

/** The readings of a name, and of its parts if it is written twice. */
export interface NameReadings extends Pick<NameParts, 'isBracketed' | 'hasRemark'> {
  /** The likeliest first: as written, then without its grade. */
  readonly whole: readonly Reading[];
  readonly parts: readonly (readonly Reading[])[];
}

const MAX_PARTS = 4;
const BRACKETED = /^(.*\S)\s*[([]([^()[\]]+)[)\]]$/u;
const NUMBER_OF_REGISTER =
  /^(?:(?:cas|ec|einecs|elincs)(?:\s?(?:no|nr)(?!\p{L})|\s?number|\s?登记号|\s?编?号)?|no)?[\s.:#]*(\d{2,7}-\d{2}-\d|\d{3}-\d{3}-\d)$/iu;

export function readingsOf(written: string, withEverydayNames: boolean): NameReadings {
  const { parts, ...brackets } = namesWithin(written);
  return {
    whole: wholeReadings(written, withEverydayNames),
    parts: parts.map((part) => wholeReadings(part, withEverydayNames)),
    ...brackets,
  };
}

function wholeReadings(written: string, withEverydayNames: boolean): Reading[] {
  const ungraded = withoutGrade(written);
  const names = [
    { name: registryNumberOf(written) ?? written },
    ...(ungraded ? [{ name: ungraded.name, ungraded }] : []),
  ];
  return names.flatMap(({ name, ...grade }) => {
    const key = nameKey(name);
    const macrogols = macrogolsOf(key);
    const meanings = macrogols ?? (withEverydayNames ? meaningsOf(key) : []);
    const direct = { name, keys: [key], isGivenOnly: macrogols !== undefined, ...grade };
    const namesakes = meanings.length === 1 ? NAMESAKES.get(key) : [];
    return meanings.length > 0
      ? [direct, { name, keys: meanings.flat().map(nameKey), meanings, namesakes, ...grade }]
      : [direct];
  });
}

const isNumber = (text: string): boolean =>
  bareCiNumber(text.trim()) !== undefined || registryNumberOf(text) !== undefined;

/** Returns the parts of a name that is written twice, or none. */
export function namesWithin(written: string): NameParts {
  const name = visibleText(written).trim();
  const [, before, inner] = BRACKETED.exec(name) ?? [];
  if (before && inner)
    return {
      parts: [before, inner],
      isBracketed: true,
      hasRemark: isFunction(inner) || isNumber(inner),
    };
  const parts = name.split(/\s*[/|]\s*/u).filter((part) => part !== '');
  return {
    parts: parts.length > 1 && parts.length <= MAX_PARTS ? parts : [],
    isBracketed: false,
    hasRemark: false,
  };
}

/** Returns the CAS or EC number in its only form if the name is nothing else: 56-81-5 of `CAS No. 000056-81-5`. */
export const registryNumberOf = (written: string): string | undefined =>
  NUMBER_OF_REGISTER.exec(plainNumber(written))?.[1];
