import { type ColumnType, getMetadataArgsStorage } from 'typeorm';
import { isoTimestamp } from './json-columns';

/** A column as the entity describes it. */
interface TableColumn {
  name: string;
  /** PostgreSQL's type. */
  type: string;
  /** False where the database fills it: generated, kept by a trigger, or set by TypeORM's own columns. */
  written: boolean;
}

/**
 * The table of an entity as SQL text: the entity is the only place that names columns and their types. Columns are asked
 * for by property; one that the entity does not have is an error.
 */
export class EntityTable {
  readonly name: string;
  /** By property of the entity, which is the column's name in JSON too. */
  private readonly columns: ReadonlyMap<string, TableColumn>;

  /** @throws Error when the class is no entity */
  constructor(entity: new () => object) {
    const storage = getMetadataArgsStorage();
    const [table] = storage.filterTables(entity);
    if (!table) throw new Error(`${entity.name} is no entity`);
    this.name = table.name ?? entity.name;
    this.columns = new Map(
      storage.filterColumns(entity).map(({ propertyName, mode, options }) => [
        propertyName,
        {
          name: options.name ?? propertyName,
          type: typeText(options.type),
          written: mode === 'regular' && !options.primary && options.insert !== false,
        },
      ]),
    );
  }

  /** Properties that a new row brings along. */
  get written(): readonly string[] {
    return [...this.columns].filter(([, { written }]) => written).map(([property]) => property);
  }

  column(property: string): string {
    return this.described(property).name;
  }

  /** Names of columns, separated by commas. */
  names(properties: readonly string[]): string {
    return properties.map((property) => this.column(property)).join(', ');
  }

  /**
   * A SELECT list whose columns are named like the properties; timestamps are texts as JSON shows them.
   * @param of the name that the row goes by in the statement, where there are several
   */
  shown(properties: readonly string[], of?: string): string {
    return properties
      .map((property) => {
        const { name, type } = this.described(property);
        const column = of ? `${of}.${name}` : name;
        if (type === 'timestamptz') return `${isoTimestamp(column)} AS "${property}"`;
        return name === property ? column : `${column} AS "${property}"`;
      })
      .join(', ');
  }

  /** Parameters `$first`, … that are arrays, one for each column: for `unnest`. */
  arrays(properties: readonly string[], first = 1): string {
    return properties
      .map((property, index) => `$${first + index}::${this.described(property).type}[]`)
      .join(', ');
  }

  /** A value as the driver takes it: it would write a list as an array of PostgreSQL's, not as JSON. */
  parameter(property: string, value: unknown): unknown {
    if (value === undefined || value === null) return null;
    return /^jsonb?$/.test(this.described(property).type) ? JSON.stringify(value) : value;
  }

  private described(property: string): TableColumn {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.name} has no column for "${property}"`);
    return column;
  }
}

function typeText(type: ColumnType | undefined): string {
  if (typeof type !== 'string') throw new Error('an entity names the type of each column');
  return type;
}
