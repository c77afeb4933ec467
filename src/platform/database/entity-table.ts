import { type ColumnType, getMetadataArgsStorage } from 'typeorm';
import type { Type } from '@nestjs/common';
import { fieldNames } from '../validation/field-metadata';

/** A column as described by the entity. */
interface TableColumn {
  name: string;
  /** PostgreSQL's type. */
  type: string;
  nullable: boolean;
}

/**
 * Generates SQL for the table of an entity, which is the only place that names columns and their types. Columns are
 * selected by property; the property of an embedded class selects all of its columns. An unknown property is an
 * error.
 */
export class EntityTable {
  readonly name: string;
  /** Columns by property of the entity, which is also the column's name in JSON. */
  private readonly columns: ReadonlyMap<string, TableColumn>;
  /** Columns of embedded classes by property of the entity, then of the embedded class. */
  private readonly embedded: ReadonlyMap<string, ReadonlyMap<string, TableColumn>>;

  /** @throws Error if the class is not an entity */
  constructor(entity: new () => object) {
    const storage = getMetadataArgsStorage();
    const [table] = storage.filterTables(entity);
    if (!table) throw new Error(`${entity.name} is no entity`);
    this.name = table.name ?? entity.name;
    this.columns = columnsOf(entity);
    this.embedded = new Map(
      storage
        .filterEmbeddeds(entity)
        .map(({ propertyName, type }) => [propertyName, columnsOf(type() as new () => object)]),
    );
  }

  column(property: string): string {
    return this.described(property).name;
  }

  /** Returns names of columns, separated by commas. */
  names(properties: readonly string[]): string {
    return this.all(properties)
      .map(({ name }) => name)
      .join(', ');
  }

  /**
   * Returns a SELECT list whose columns have the names of the properties; an embedded class is a JSON object.
   * @param alias alias of the table in the statement
   */
  selectList(properties: readonly string[], alias: string): string {
    return properties
      .map((property) => {
        const embedded = this.embedded.get(property);
        if (embedded) return `${objectOf(embedded, alias)} AS "${property}"`;
        const { name } = this.described(property);
        return name === property ? `${alias}.${name}` : `${alias}.${name} AS "${property}"`;
      })
      .join(', ');
  }

  /** Returns array parameters `$first`, …, one for each column, for `unnest`. */
  arrays(properties: readonly string[], first = 1): string {
    return this.all(properties)
      .map(({ type }, index) => `$${first + index}::${type}[]`)
      .join(', ');
  }

  /** Converts a value for the driver, which would otherwise write a list as a PostgreSQL array instead of JSON. */
  parameter(property: string, value: unknown): unknown {
    if (value === undefined || value === null) return null;
    return /^jsonb?$/.test(this.described(property).type) ? JSON.stringify(value) : value;
  }

  /** Returns the values of one row, one for each column; absent ones are null. */
  values(properties: readonly string[], row: object): unknown[] {
    return properties.flatMap((property) => {
      const value = (row as Record<string, unknown>)[property];
      const embedded = this.embedded.get(property);
      if (!embedded) return [this.parameter(property, value)];
      const parts = (value ?? {}) as Record<string, unknown>;
      return [...embedded.keys()].map((part) => parts[part] ?? null);
    });
  }

  /** Returns the values for the parameters of `arrays`: for each column those of all rows. */
  valueArrays(properties: readonly string[], rows: readonly object[]): unknown[][] {
    const values = rows.map((row) => this.values(properties, row));
    return this.all(properties).map((_, index) => values.map((row) => row[index]));
  }

  private all(properties: readonly string[]): TableColumn[] {
    return properties.flatMap((property) => {
      const embedded = this.embedded.get(property);
      return embedded ? [...embedded.values()] : [this.described(property)];
    });
  }

  private described(property: string): TableColumn {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.name} has no column for "${property}"`);
    return column;
  }
}

function columnsOf(type: new () => object): Map<string, TableColumn> {
  const columns = getMetadataArgsStorage().filterColumns(type);
  return new Map(
    columns.map(({ propertyName, options }) => [
      propertyName,
      {
        name: options.name ?? propertyName,
        type: typeText(options.type),
        nullable: options.nullable ?? false,
      },
    ]),
  );
}

/** SQL for an embedded class as a JSON object; null if all its columns are nullable and the first one is null. */
function objectOf(embedded: ReadonlyMap<string, TableColumn>, alias: string): string {
  const pairs = [...embedded].map(([part, { name }]) => `'${part}', ${alias}.${name}`).join(', ');
  const columns = [...embedded.values()];
  if (!columns.every(({ nullable }) => nullable)) return `json_build_object(${pairs})`;
  return `CASE WHEN ${alias}.${columns[0]!.name} IS NOT NULL THEN json_build_object(${pairs}) END`;
}

function typeText(type: ColumnType | undefined): string {
  if (typeof type !== 'string') throw new Error('an entity names the type of each column');
  return type;
}

/**
 * Converts an entity to its resource: a plain object with the fields of `fields`, in their order, and times as in
 * JSON.
 */
export function toRecord<Shown extends object>(fields: Type<object>, entity: object): Shown {
  const values = entity as Record<string, unknown>;
  return Object.fromEntries(
    fieldNames(fields).map((name) => {
      const value = values[name];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  ) as Shown;
}
