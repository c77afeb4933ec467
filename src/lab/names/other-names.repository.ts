import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../access/row-filter';
import { DatabaseService } from '../../database/database.service';
import type { NameKind } from './ingredient-name.entity';
import type { StoredName } from './other-names-rules';
import { DELETE_NAMES, INSERT_NAMES, readAllNames, readNames } from './other-names.sql';

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
    const readable = filter.for('ingredient', 'i', 2);
    const [found] = await this.database.query<NamesOfIngredient>(
      { name: filter.named('lab.names.read'), text: readNames(readable) },
      [id, ...readable.values],
    );
    return found;
  }

  async findAll(filter: RowFilter, ids: readonly string[]): Promise<FullyNamed[]> {
    const readable = filter.for('ingredient', 'i', 2);
    return this.database.query<FullyNamed>(
      { name: filter.named('lab.names.read-all'), text: readAllNames(readable) },
      [ids, ...readable.values],
    );
  }

  /** Replaces all names of an ingredient. Call it within a transaction. */
  async replace(id: string, names: readonly StoredName[]): Promise<void> {
    await this.database.query({ name: 'lab.names.delete', text: DELETE_NAMES }, [id]);
    if (names.length === 0) return;
    await this.database.query({ name: 'lab.names.insert', text: INSERT_NAMES }, [
      id,
      names.map(({ kind }) => kind),
      names.map(({ name }) => name),
      names.map(({ key }) => key),
    ]);
  }
}
