import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DetailChange, DetailRow, ImportedDetail } from '../../../files/imported-detail';
import { IngredientImportService } from '../../ingredient-import.service';
import { fieldWithTooMany, namesByField, type StoredName } from '../other-names-rules';
import { FIELD_OF_KIND, MAX_NAMES } from '../other-names.dto';
import { OtherNamesRepository } from '../other-names.repository';
import { type Cell, NAME_COLUMNS, readNameCells, writtenNames } from './name-columns';

type Names = readonly StoredName[];

const KEY_BETWEEN = ' ';

/** Adds the names in files of ingredients to those that the ingredients have. None is taken away. */
@Injectable()
export class ImportedNamesService implements OnModuleInit, ImportedDetail<Names> {
  readonly field = 'names';
  readonly columns = NAME_COLUMNS;
  readonly finds = FIELD_OF_KIND.cas;

  constructor(
    private readonly names: OtherNamesRepository,
    private readonly imports: IngredientImportService,
  ) {}

  onModuleInit(): void {
    this.imports.addDetail(this);
  }

  readRow(cell: Cell, nameOf: Cell) {
    const { names, reasons, remarks } = readNameCells(cell, nameOf);
    const numbers = names.filter(({ kind }) => kind === 'cas').map(({ name }) => name);
    return {
      values: {
        ...(names.length > 0 && { [this.field]: names }),
        ...(numbers.length > 0 && { [this.finds]: numbers.join(KEY_BETWEEN) }),
      },
      reasons,
      remarks,
    };
  }

  async changes(rows: readonly DetailRow<Names>[]): Promise<DetailChange<Names>[]> {
    const stored = await this.names.findOf(rows.map(({ id }) => id));
    return rows.map(({ id, value }) => {
      const present = stored.get(id) ?? [];
      const added = value.filter(
        ({ kind, key }) => !present.some((name) => name.kind === kind && name.key === key),
      );
      if (added.length === 0) return {};
      return fieldWithTooMany([...present, ...added])
        ? { refusal: `would have more than ${MAX_NAMES} names of a kind` }
        : { value: added };
    });
  }

  async exported(ids: readonly string[]) {
    const stored = await this.names.findOf(ids);
    return ids.map((id) => namesByField(stored.get(id) ?? []));
  }

  cellOf(value: unknown): string {
    return writtenNames(value as readonly string[]);
  }

  store(rows: readonly DetailRow<Names>[]): Promise<void> {
    return this.names.add(rows.map(({ id, value }) => ({ id, names: value })));
  }

  /** The ingredients with one of these CAS numbers: as their other name, or as that of their only substance. */
  find(texts: readonly string[]): Promise<string[][]> {
    return this.names.findByCasNumbers(texts.map((text) => text.split(KEY_BETWEEN)));
  }
}
