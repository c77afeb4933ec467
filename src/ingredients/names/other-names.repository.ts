import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import type { NameKind } from './ingredient-name.entity';
import type { StoredName } from './other-names-rules';
import { ADD_NAMES, DELETE_NAMES, READ_NAMES_OF, readAllNames, readNames } from './other-names.sql';

export interface NamesOfIngredient {
  readonly ingredientId: string;
  readonly names: readonly { readonly kind: NameKind; readonly name: string }[];
}

/** An ingredient with all its names. */
export interface FullyNamed {
  readonly id: string;
  readonly inciName: string;
  readonly chineseName: string;
  readonly names: readonly StoredName[];
}

@Injectable()
export class OtherNamesRepository {
  constructor(private readonly database: DatabaseService) {}

  async find(filter: RowFilter, id: string): Promise<NamesOfIngredient | undefined> {
    const [found] = await this.database.query<NamesOfIngredient>(
      ...filter.statement('names.read', [id], readNames),
    );
    return found;
  }

  async findAll(filter: RowFilter, ids: readonly string[]): Promise<FullyNamed[]> {
    return this.database.query<FullyNamed>(...filter.statement('names.read-all', [ids], readAllNames));
  }

  /** The names of each of these ingredients, without a look at who may read them. */
  async findOf(ids: readonly string[]): Promise<ReadonlyMap<string, StoredName[]>> {
    const rows = await this.database.query<StoredName & { id: string }>(
      { name: 'names.of', text: READ_NAMES_OF },
      [ids],
    );
    const names = new Map<string, StoredName[]>();
    for (const { id, ...name } of rows) names.set(id, [...(names.get(id) ?? []), name]);
    return names;
  }

  /** Replaces all names of an ingredient. Call it within a transaction. */
  async replace(id: string, names: readonly StoredName[]): Promise<void> {
    await this.database.query({ name: 'names.delete', text: DELETE_NAMES }, [id]);
    await this.add([{ id, names }]);
  }

  /** Adds the names that ingredients do not have yet. */
  async add(named: readonly { id: string; names: readonly StoredName[] }[]): Promise<void> {
    const rows = named.flatMap(({ id, names }) => names.map((name) => ({ id, ...name })));
    if (rows.length === 0) return;
    await this.database.query({ name: 'names.add', text: ADD_NAMES }, [
      rows.map(({ id }) => id),
      rows.map(({ kind }) => kind),
      rows.map(({ name }) => name),
      rows.map(({ key }) => key),
    ]);
  }
}
