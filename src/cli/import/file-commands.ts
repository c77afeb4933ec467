import { basename, extname } from 'node:path';
import type { Type } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Command, type CommandRunner, SubCommand } from 'nest-commander';
import { COLOR_FILE } from '../../colors/files/color-columns';
import { ColorImportService } from '../../colors/files/color-import.service';
import type { FileImport, FileImportDescription, ImportRequest } from '../../files/file-import';
import { ignoredColumns } from '../../files/import-report';
import { type ColumnChoice, ColumnChoiceError, parseColumnChoice } from '../../files/mapping/column-mapping';
import { type ImportFileReading, readImportFile } from '../../files/read-import-file';
import { readFileContent } from '../../files/reading/open-table';
import { COMMAND_LIMITS, TableError } from '../../files/reading/table';
import { exportPieces } from '../../files/writing/export-pieces';
import { FILE_FORMATS, type FileFormat } from '../../files/writing/file-pieces';
import { FormulaFileService } from '../../formulas/files/formula-file.service';
import { FORMULA_FILE } from '../../formulas/files/formula-file.words';
import { INGREDIENT_FILE } from '../../ingredients/ingredient-file';
import { IngredientImportService } from '../../ingredients/ingredient-import.service';
import { RowFilter } from '../../platform/access/row-filter';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { UsersRepository } from '../../users/users.repository';
import { CliError, CommandGroup, number, Options, Progress, UsageError } from '../cli-io';
import { type OpenService, ServiceCommand } from '../service-context';
import { FileOutput } from './file-output';
import { printReport } from './print-report';

interface ImportOptions {
  user?: string;
  dryRun?: boolean;
  partial?: boolean;
  json?: boolean;
  map?: ColumnChoice[];
  encoding?: string;
  sheet?: string;
  headerRow?: number;
  match?: string;
  name?: string;
  createMissing?: boolean;
}

export const PARTIAL = {
  flags: '--partial',
  description: 'import the other rows although some are refused',
};

export const ENCODING = {
  flags: '--encoding <name>',
  description: 'of a CSV file, such as gbk, big5 or windows-1252',
  parse: checkedEncoding,
};

export const SHEET = { flags: '--sheet <name>', description: 'of an XLSX file: the sheet to read' };

const IMPORT_OPTIONS = [
  { flags: '--dry-run', description: 'report what would be done and change nothing' },
  PARTIAL,
  {
    flags: '--skip-refused',
    name: 'partial',
    description: 'the same as --partial',
  },
  { flags: '--json', description: "print the report as JSON, as the endpoint's answer" },
  {
    flags: '--map <column=field>',
    description: 'the field that a column fills; "column=" leaves it out; may be repeated',
    parse: (text: string, earlier: ColumnChoice[] = []) => [...earlier, choiceIn(text)],
  },
  ENCODING,
  SHEET,
  {
    flags: '--header-row <line>',
    description: 'the line that is the header, where names do not tell',
    parse: (text: string) => {
      if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--header-row: "${text}" is no line`);
      return Number(text);
    },
  },
];

function choiceIn(text: string): ColumnChoice {
  try {
    return parseColumnChoice(text);
  } catch (error) {
    throw explained(error, text);
  }
}

/** `NAME import FILE`: opens the service, reads the file and imports its rows. */
abstract class ImportCommand extends ServiceCommand {
  protected abstract readonly importer: Type<FileImport>;
  protected abstract readonly description: FileImportDescription;

  async run([path = '']: string[], options: ImportOptions): Promise<void> {
    const { user, dryRun, partial, json, createMissing } = options;
    const { records, store, owned = false } = this.description;
    const username = user?.trim();
    if (owned && !username) throw new UsageError(`--user is missing: whom do new ${records} belong to?`);
    const progress = new Progress(this.io);
    const steps = { compared: `Comparing with ${store}`, written: 'Writing' };
    let columnOf: ImportFileReading['columnOf'] | undefined;
    const importing = this.service.use(async (service) => {
      const { key, drafts, refused, notes, ignored, ...file } = await this.read(path, options);
      columnOf = file.columnOf;
      return service.get(this.importer).import({
        drafts,
        refused,
        source: path === '-' ? undefined : basename(path),
        notes: json ? [...notes, ...ignoredColumns(ignored)] : notes,
        dryRun,
        skipRefused: partial,
        createMissing,
        key,
        createdBy: username && (await idOf(service, username)),
        onProgress: (step, rows, of) => progress.update(steps[step], rows, of),
      });
    });
    const report = await importing.finally(() => progress.done());
    printReport(this.io, report, { path: nameOf(path), dryRun, partial, json, columnOf });
  }

  private async read(
    path: string,
    { map: choices, encoding, sheet, headerRow, match, name }: ImportOptions,
  ): Promise<ImportFileReading & Pick<ImportRequest, 'key'>> {
    try {
      const content = await readFileContent(path === '-' ? this.io.stdin : path, COMMAND_LIMITS);
      const matched = match === undefined ? undefined : this.description.matches?.[match];
      const named = name === undefined ? undefined : this.description.named?.(name);
      const options = { choices, encoding, sheet, headerRow, limits: COMMAND_LIMITS };
      const reading = await readImportFile(content, matched ?? named ?? this.description, options);
      if (reading.ignored.length > 0) {
        this.io.tell(`Columns without a field, ignored: ${reading.ignored.join(', ')}`);
      }
      this.io.tell(`${number(reading.rows)} rows read`);
      return { ...reading, key: matched?.key };
    } catch (error) {
      throw explained(error, nameOf(path));
    }
  }
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

async function idOf(service: OpenService, username: string): Promise<string> {
  const owner = await service.get(UsersRepository).findCredentials(username);
  if (!owner) throw new CliError(`There is no user "${username}".`);
  return owner.id;
}

const VERSIONS = ['current', 'all'] as const;

const VERSION_OPTIONS = [
  {
    flags: '--versions <versions>',
    description: `${VERSIONS.join(' or ')}; default: current`,
    parse: (name: string) => oneOf('--versions', name, VERSIONS),
  },
  {
    flags: '--project <id>',
    description: 'only those of this project',
    parse: (id: string) => {
      if (isUUID(id)) return id;
      throw new UsageError(`--project: "${id}" is no id`);
    },
  },
];

interface ExportOptions {
  force?: boolean;
  format?: FileFormat;
  versions?: 'current' | 'all';
  project?: string;
}

const EXPORT_OPTIONS = [
  { flags: '--force', description: 'replace the file if it exists' },
  {
    flags: '--format <format>',
    description: `${FILE_FORMATS.join(', ')}; default: as the name of the file says, else csv`,
    parse: (name: string) => oneOf('--format', name, FILE_FORMATS),
  },
  { flags: '--json', name: 'format', description: 'the same as --format json', parse: () => 'json' },
];

/** `NAME export [FILE]`: writes the same file as the endpoint. `import` can read it without changes. */
abstract class ExportCommand extends ServiceCommand {
  protected abstract readonly importer: Type<FileImport>;
  protected abstract readonly description: FileImportDescription;

  async run([file]: string[], { force, format: chosen, versions, project }: ExportOptions): Promise<void> {
    const path = file === '-' ? undefined : file;
    const format = chosen ?? formatOf(path);
    if (format === 'xlsx' && path === undefined && this.io.stdout.isTTY) {
      throw new UsageError('an XLSX file is no text for a terminal: name a file');
    }
    const { records, keyOf } = this.description;
    const output = await FileOutput.open(path, { force, stdout: this.io.stdout });
    const progress = new Progress(this.io);
    let count = 0;
    const twins = new Twins(keyOf);
    const note = (page: readonly Record<string, unknown>[]) => {
      page.forEach((record) => twins.add(record));
      progress.update('Writing', (count += page.length));
    };
    try {
      await this.service.use(async (service) => {
        const source = service.get(this.importer);
        const query = { versions, projectId: project };
        await service.get(TransactionManager).snapshot(async () => {
          const pieces = exportPieces(source, this.description, format, RowFilter.EVERYTHING, query, note);
          for await (const piece of pieces) await output.write(piece);
        });
      });
      await output.close();
    } catch (error) {
      await output.discard();
      throw error;
    } finally {
      progress.done();
    }
    const written = keyOf ? `${number(count)} ${records}` : 'All';
    this.io.tell(`${written} written${path === undefined ? '' : ` to ${path}`}`);
    if (twins.labels.length > 0) {
      this.io.tell(
        `An import cannot tell apart those that are stored more than once: ${shortenedList(twins.labels)}`,
      );
    }
  }
}

/** @throws UsageError for a file name with another extension */
function formatOf(path: string | undefined): FileFormat {
  const extension = path === undefined ? '' : extname(path).slice(1).toLowerCase();
  if (extension === '') return 'csv';
  const format = FILE_FORMATS.find((name) => name === extension);
  if (format) return format;
  throw new UsageError(`${path}: an export is a CSV, XLSX or JSON file: name it so, or say --format`);
}

function oneOf<Value extends string>(option: string, text: string, values: readonly Value[]): Value {
  const value = values.find((one) => one === text);
  if (value) return value;
  throw new UsageError(`${option}: there is no "${text}", only ${values.join(', ')}`);
}

/** Finds records that an import cannot distinguish. */
class Twins {
  private readonly counts = new Map<string, number>();
  readonly labels: string[] = [];

  constructor(private readonly keyOf: FileImportDescription['keyOf']) {}

  add(record: Record<string, unknown>): void {
    const { key, label } = this.keyOf?.(record) ?? {};
    if (key === undefined || label === undefined) return;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    if (count === 2) this.labels.push(label);
  }
}

/** Converts an error of reading a file to one that a command reports. */
export function explained(error: unknown, path: string): unknown {
  if (error instanceof ColumnChoiceError) return new UsageError(`--map: ${error.message}`);
  if (error instanceof TableError) return new CliError(`${path}: ${error.message}`);
  return error;
}

/** @throws UsageError for an unknown encoding */
function checkedEncoding(name: string): string {
  try {
    if (new TextDecoder(name).encoding !== '') return name;
  } catch {
    // Reported below.
  }
  throw new UsageError(`--encoding: there is no encoding "${name}"`);
}

/** Joins labels. Of a long list, only the first ten are listed. */
function shortenedList(labels: readonly string[]): string {
  const named = labels.slice(0, 10).join('; ');
  return labels.length > 10 ? `${named} and ${labels.length - 10} more` : named;
}

/**
 * Creates the commands of the files of one kind of records: a group with `import` and `export`. nest-commander
 * distinguishes commands by the names of their classes.
 */
export function fileCommands<Draft>(
  importer: Type<FileImport<Draft>>,
  description: FileImportDescription<Draft>,
): Type<CommandRunner>[] {
  const { command, help, records, owned, versioned, named, creates, matches } = description;
  const plain = { importer: importer as Type<FileImport>, description: description as FileImportDescription };

  class Import extends ImportCommand {
    protected readonly importer = plain.importer;
    protected readonly description = plain.description;
  }
  class Export extends ExportCommand {
    protected readonly importer = plain.importer;
    protected readonly description = plain.description;
  }
  class Group extends CommandGroup {}
  for (const type of [Group, Import, Export]) {
    const name = type === Group ? `${command}Command` : `${command}${type.name}Command`;
    Object.defineProperty(type, 'name', { value: name });
  }

  const keys = Object.keys(matches ?? {});
  Options(
    ...IMPORT_OPTIONS,
    ...(matches
      ? [
          {
            flags: '--match <fields>',
            description: `how a row finds its record: ${keys.join(', ')}`,
            parse: (name: string) => oneOf('--match', name, keys),
          },
        ]
      : []),
    ...(owned
      ? [{ flags: '--user <username>', description: `whom new ${records} belong to (required)` }]
      : []),
    ...(named
      ? [{ flags: '--name <name>', description: 'of the record, where the file has no such column' }]
      : []),
    ...(creates
      ? [
          {
            flags: `--create-${creates}`,
            name: 'createMissing',
            description: `create ${creates} that are missing`,
          },
        ]
      : []),
  )(Import);
  Options(...EXPORT_OPTIONS, ...(versioned ? VERSION_OPTIONS : []))(Export);

  SubCommand({
    name: 'import',
    arguments: '<file>',
    argsDescription: {
      file: `${help.file ?? 'CSV or XLSX file with a header row, or a JSON file of the export'}; "-": standard input`,
    },
    description: help.import,
  })(Import);
  SubCommand({
    name: 'export',
    arguments: '[file]',
    argsDescription: { file: 'where to write; standard output when absent or "-"' },
    description: help.export,
  })(Export);
  const subCommands = [Import, Export];
  Command({ name: command, description: help.command, arguments: '[command]', subCommands })(Group);
  return [Group, ...subCommands];
}

/** The commands of all kinds of records that have files. */
export const FILE_COMMANDS = [
  ...fileCommands(IngredientImportService, INGREDIENT_FILE),
  ...fileCommands(ColorImportService, COLOR_FILE),
  ...fileCommands(FormulaFileService, FORMULA_FILE),
];
