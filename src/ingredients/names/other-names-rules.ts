import { text } from '../../platform/texts/text';
import type { FieldFault } from '../raw-materials/substance-rules';
import { casFault, ecFault, plainNumber } from '../raw-materials/registry-numbers';
import { NAME_KINDS, type NameKind } from './ingredient-name.entity';
import { distinctBy } from '../../platform/common/collections';
import { nameKey } from '../../platform/common/name-forms';
import { FIELD_OF_KIND, MAX_NAMES, type OtherNamesDto } from './other-names.dto';

export interface StoredName {
  readonly kind: NameKind;
  readonly name: string;
  readonly key: string;
}

const NUMBER_FAULTS: Readonly<Partial<Record<NameKind, typeof casFault>>> = { cas: casFault, ec: ecFault };

/** Converts names for storage: numbers in their only form, others without surrounding white space. */
export const storedNames = (given: Partial<OtherNamesDto>): StoredName[] =>
  NAME_KINDS.flatMap((kind) =>
    (given[FIELD_OF_KIND[kind]] ?? []).map((written) => {
      const name = kind in NUMBER_FAULTS ? plainNumber(written) : written.trim();
      return { kind, name, key: nameKey(name) };
    }),
  );

/** Groups names by the field of their kind, in their order. */
export const namesByField = (names: readonly Pick<StoredName, 'kind' | 'name'>[]) =>
  Object.fromEntries(
    NAME_KINDS.map((wanted) => [
      FIELD_OF_KIND[wanted],
      names.filter(({ kind }) => kind === wanted).map(({ name }) => name),
    ]),
  ) as Record<keyof OtherNamesDto, string[]>;

/** Returns the faults of names: wrong check digits, names without a letter, repeated names of one kind. */
export function nameFaults(names: readonly StoredName[]): FieldFault[] {
  return NAME_KINDS.flatMap((kind) =>
    faultsOfKind(
      kind,
      names.filter((name) => name.kind === kind),
    ),
  );
}

function faultsOfKind(kind: NameKind, names: readonly StoredName[]): FieldFault[] {
  const first = new Map<string, number>();
  return names.flatMap(({ name, key }, index) => {
    const message = NUMBER_FAULTS[kind]?.(name) ?? nameFault(key, index, first.get(key));
    if (!first.has(key)) first.set(key, index);
    return message ? [{ field: `${FIELD_OF_KIND[kind]}.${index}`, message }] : [];
  });
}

function nameFault(key: string, index: number, earlier: number | undefined) {
  const position = index + 1;
  if (key === '') return text('names.without-letter', { position });
  return earlier === undefined ? undefined : text('names.repeated', { position, earlier: earlier + 1 });
}

interface Named {
  readonly inciName: string;
  readonly chineseName: string;
  readonly names: readonly StoredName[];
}

/** Returns the other names of an ingredient after a merge. The merged ingredient's own names become synonyms. */
export function mergedNames(into: Named, merged: Named): StoredName[] {
  const own = new Set([into.inciName, into.chineseName].map(nameKey));
  const former = [merged.inciName, merged.chineseName]
    .map((name): StoredName => ({ kind: 'synonym', name: name.trim(), key: nameKey(name) }))
    .filter(({ key }) => key !== '' && !own.has(key));
  return distinctNames([...into.names, ...merged.names, ...former]);
}

/** Removes repeated names of a kind. */
export const distinctNames = (names: readonly StoredName[]): StoredName[] =>
  distinctBy(names, ({ kind, key }) => `${kind} ${key}`);

/** Returns the field of a kind of which an ingredient would have too many names. */
export const fieldWithTooMany = (names: readonly StoredName[]): keyof OtherNamesDto | undefined => {
  const excess = NAME_KINDS.find((wanted) => names.filter(({ kind }) => kind === wanted).length > MAX_NAMES);
  return excess && FIELD_OF_KIND[excess];
};
