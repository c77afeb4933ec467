import type { CurrentUser } from '../common/access/current-user';
import type { ReadCondition } from '../common/access/readable-records';
import type { Statement } from './database';
import { hasOwnTable } from './own-row-names';
import { PLACES } from './readable';

/** How the conditions of a text are written. */
interface Wording {
  /** Added to the names of prepared statements: one name, one text. */
  readonly suffix: string;
  /** SQL, with a parameter of that name for each value: `{value 0}`. */
  condition(kind: string, row: string): string;
}

/** A statement with its conditions, and which of the caller's values come behind its own. */
interface Written {
  /** As it was before. */
  readonly source: string;
  readonly statement: Statement;
  readonly values: readonly number[];
}

/** A row that no table is called as. */
const ANY_ROW = 'asked_row';

const VALUES = /\{value (\d+)\}/g;

/** Texts of one wording; they are made at their first run and the same from then on. */
class Texts {
  private readonly ofStatements = new WeakMap<Statement, Written>();
  /** Of prepared statements that are made anew for each run: their names are unique to their texts. */
  private readonly ofNames = new Map<string, Written>();

  constructor(private readonly wording: Wording) {}

  of(statement: Statement): Written {
    const known = this.ofStatements.get(statement) ?? this.named(statement);
    if (known) return known;
    const written = this.write(statement);
    this.ofStatements.set(statement, written);
    if (statement.name && !this.ofNames.has(statement.name)) this.ofNames.set(statement.name, written);
    return written;
  }

  /** Of two texts under one name each stays itself: `pg` refuses the second where it has the first. */
  private named({ name, text }: Statement): Written | undefined {
    const known = name ? this.ofNames.get(name) : undefined;
    return known?.source === text ? known : undefined;
  }

  private write(statement: Statement): Written {
    const values: number[] = [];
    const kinds = new Set<string>();
    let used: number | undefined;
    const text = statement.text
      .replace(PLACES, (_, kind: string, row: string) => {
        kinds.add(kind);
        return `(${this.wording.condition(kind, row)})`;
      })
      .replace(VALUES, (_, value: string) => {
        used ??= parametersIn(statement.text);
        if (!values.includes(Number(value))) values.push(Number(value));
        return `$${used + 1 + values.indexOf(Number(value))}`;
      });
    const name = statement.name && `${statement.name}${this.wording.suffix}`;
    // Without a suffix nobody's conditions are in it.
    const conditionsOf = this.wording.suffix && kinds.size > 0 ? [...kinds].join(', ') : undefined;
    return {
      source: statement.text,
      statement: { ...statement, name, text, ...(conditionsOf && { conditionsOf }) },
      values,
    };
  }
}

const parametersIn = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

/** What a caller may read, and the statements that read it. */
export class ReadAccess {
  private constructor(
    private readonly texts: Texts,
    private readonly restricted: (kind: string) => boolean,
    private readonly values: readonly unknown[] = [],
  ) {}

  /** The service itself, or who may read everything. */
  static readonly EVERYTHING = new ReadAccess(
    new Texts({ suffix: '', condition: () => 'true' }),
    () => false,
  );

  /** Who may read nothing. */
  static readonly NOTHING = new ReadAccess(
    new Texts({ suffix: ':nothing', condition: () => 'false' }),
    () => true,
  );

  /**
   * @param conditions by kind
   * @param known all kinds of which there are records
   * @param types of the values
   * @returns who may read what the conditions say with these values
   */
  static by(
    conditions: ReadonlyMap<string, ReadCondition>,
    known: ReadonlySet<string>,
    types: readonly string[],
  ): (values: readonly unknown[]) => ReadAccess {
    const placeholders = types.map((type, value) => `{value ${value}}::${type}`);
    const texts = new Texts({
      suffix: ':readable',
      condition(kind, row) {
        if (!known.has(kind))
          throw new Error(`There is no kind of record '${kind}': name it under RECORD_KINDS`);
        const condition = conditions.get(kind);
        if (!condition) return 'true';
        // Fails closed: what is asked of the row would be asked of that table.
        if (hasOwnTable(condition(ANY_ROW, placeholders), row)) {
          throw new Error(
            `The condition of ${kind} has a table that it calls ${row}, as the statement calls the row`,
          );
        }
        return condition(row, placeholders);
      },
    });
    return (values) => new ReadAccess(texts, (kind) => conditions.has(kind), values);
  }

  /** Whether records of this kind may be hidden: then kept numbers of records (`keptCount`) say too much. */
  restricts(kind: string): boolean {
    return this.restricted(kind);
  }

  /**
   * A statement with `mayRead` in it, as this caller runs it: `database.query(...access.reading(LIST, [1]))`.
   * @param statement a constant, or one whose name is unique to its text
   */
  reading(statement: Statement, values: readonly unknown[] = []): [Statement, readonly unknown[]] {
    const written = this.texts.of(statement);
    if (written.values.length === 0) return [written.statement, values];
    return [written.statement, [...values, ...written.values.map((value) => this.values[value])]];
  }

  /** The same of a read by id: `database.findById(...access.readingById(BY_ID, id))`. */
  readingById(statement: Statement, id: string): [Statement, string, unknown[]] {
    const written = this.texts.of(statement);
    return [written.statement, id, written.values.map((value) => this.values[value])];
  }
}

/** Who reads: a user, or whoever has this access (`ReadAccess.EVERYTHING` is the service itself). */
export type Reader = CurrentUser | ReadAccess;
