import { type ColumnType, getMetadataArgsStorage } from 'typeorm';
import { isoTimestamp } from './json-columns';

/** A column as the entity describes it. */
interface TableColumn {
  /** Property of the entity or of an embedded class, which is its name in JSON too. */
  property: string;
  name: string;
  /** PostgreSQL's type. */
  type: string;
  nullable: boolean;
  /** False where the database fills it: generated, kept by a trigger, or set by TypeORM's own columns. */
  written: boolean;
}

/** A property of an entity: one column, or those of an embedded class. */
interface TableProperty {
  columns: readonly TableColumn[];
  embedded: boolean;
}

/** The table of an entity as SQL text: the entity is the only place that names columns and their types. */
export class EntityTable<Entity extends object> {
  readonly name: string;
  private readonly properties: ReadonlyMap<string, TableProperty>;

  /** @throws Error when the class is no entity */
  constructor(entity: new () => Entity) {
    const storage = getMetadataArgsStorage();
    const [table] = storage.filterTables(entity);
    if (!table) throw new Error(`${entity.name} is no entity`);
    this.name = table.name ?? entity.name;
    this.properties = new Map([
      ...columnsOf(entity).map(
        (column) => [column.property, { columns: [column], embedded: false }] as const,
      ),
      ...storage
        .filterEmbeddeds(entity)
        .map(
          ({ propertyName, type }) =>
            [propertyName, { columns: columnsOf(type() as () => void), embedded: true }] as const,
        ),
    ]);
  }

  /** Properties that a new row brings along. */
  get written(): readonly (keyof Entity & string)[] {
    return [...this.properties]
      .filter(([, { columns }]) => columns.every(({ written }) => written))
      .map(([property]) => property as keyof Entity & string);
  }

  column(property: keyof Entity & string): string {
    return this.described(property).name;
  }

  /**
   * Names of columns, separated by commas.
   * @param of the name that the row goes by in the statement, where there are several
   */
  names(properties: readonly (keyof Entity & string)[], of?: string): string {
    return this.columns(properties)
      .map(({ name }) => (of ? `${of}.${name}` : name))
      .join(', ');
  }

  /**
   * A SELECT list whose columns are named like the properties; timestamps are texts as JSON shows them, what is
   * embedded is a JSON object.
   * @param of the name that the row goes by in the statement, where there are several
   */
  shown(properties: readonly (keyof Entity & string)[], of?: string): string {
    const at = (name: string) => (of ? `${of}.${name}` : name);
    return properties
      .map((property) => {
        const { columns, embedded } = this.property(property);
        if (embedded) return `${objectOf(columns, at)} AS "${property}"`;
        const { name, type } = columns[0]!;
        if (type === 'timestamptz') return `${isoTimestamp(at(name))} AS "${property}"`;
        return name === property ? at(name) : `${at(name)} AS "${property}"`;
      })
      .join(', ');
  }

  /** Parameters `$first`, …, one for each column and of its type. */
  parameters(properties: readonly (keyof Entity & string)[], first = 1): string {
    return this.columns(properties)
      .map(({ type }, index) => `$${first + index}::${type}`)
      .join(', ');
  }

  /** Parameters `$first`, … that are arrays, one for each column: for `unnest`. */
  arrays(properties: readonly (keyof Entity & string)[], first = 1): string {
    return this.columns(properties)
      .map(({ type }, index) => `$${first + index}::${type}[]`)
      .join(', ');
  }

  /** A value as the driver takes it: it would write a list as an array of PostgreSQL's, not as JSON. */
  parameter(property: keyof Entity & string, value: unknown): unknown {
    return parameter(this.described(property), value);
  }

  /** What `parameters` stand for, of one row; absent ones are null. */
  values(
    properties: readonly (keyof Entity & string)[],
    row: { [Key in keyof Entity]?: unknown },
  ): unknown[] {
    return properties.flatMap((property) => {
      const { columns, embedded } = this.property(property);
      const value: unknown = row[property];
      if (!embedded) return [parameter(columns[0]!, value)];
      return columns.map((column) =>
        parameter(column, (value as Record<string, unknown> | null | undefined)?.[column.property]),
      );
    });
  }

  /** What `arrays` stand for: of each column the values of all rows. */
  valueArrays(
    properties: readonly (keyof Entity & string)[],
    rows: readonly { [Key in keyof Entity]?: unknown }[],
  ): unknown[][] {
    const values = rows.map((row) => this.values(properties, row));
    return this.columns(properties).map((_, index) => values.map((row) => row[index]));
  }

  private columns(properties: readonly string[]): TableColumn[] {
    return properties.flatMap((property) => this.property(property).columns);
  }

  private described(property: string): TableColumn {
    const { columns, embedded } = this.property(property);
    if (embedded) throw new Error(`"${property}" of ${this.name} is not one column`);
    return columns[0]!;
  }

  private property(property: string): TableProperty {
    const found = this.properties.get(property);
    if (!found) throw new Error(`${this.name} has no column for "${property}"`);
    return found;
  }
}

function columnsOf(type: () => void): TableColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(type)
    .map(({ propertyName, mode, options }) => ({
      property: propertyName,
      name: options.name ?? propertyName,
      type: typeText(options.type),
      nullable: options.nullable ?? false,
      written: mode === 'regular' && !options.primary && options.insert !== false,
    }));
}

/** SQL for the JSON object of an embedded class; null where all its columns may be null and the first one is. */
function objectOf(columns: readonly TableColumn[], at: (name: string) => string): string {
  const pairs = columns.map(({ property, name }) => `'${property}', ${at(name)}`).join(', ');
  const object = `json_build_object(${pairs})`;
  return columns.every(({ nullable }) => nullable)
    ? `CASE WHEN ${at(columns[0]!.name)} IS NOT NULL THEN ${object} END`
    : object;
}

function parameter({ type }: TableColumn, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return /^jsonb?$/.test(type) ? JSON.stringify(value) : value;
}

function typeText(type: ColumnType | undefined): string {
  if (typeof type !== 'string') throw new Error('an entity names the type of each column');
  return type;
}
