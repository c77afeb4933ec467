import { extname } from 'node:path';
import { Injectable, type Type } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { COLOR_FILE } from '../../colors/files/color-columns';
import { ColorImportService } from '../../colors/files/color-import.service';
import type { FileImport, FileImportDescription, ImportRequest } from '../../files/file-import';
import { ignoredColumns } from '../../files/import-report';
import { type ColumnChoice, ColumnChoiceError, parseColumnChoice } from '../../files/mapping/column-mapping';
import { type ImportFileReading, readImportFile } from '../../files/read-import-file';
import { readFileContent } from '../../files/reading/open-table';
import { COMMAND_LIMITS, TableError } from '../../files/reading/table';
import { exportPieces, FILE_FORMATS, type FileFormat } from '../../files/writing/export-pieces';
import { FormulaFileService } from '../../formulas/files/formula-file.service';
import { FORMULA_FILE } from '../../formulas/files/formula-file.words';
import { INGREDIENT_FILE } from '../../ingredients/ingredient-file';
import { IngredientImportService } from '../../ingredients/ingredient-import.service';
import { RowFilter } from '../../platform/access/row-filter';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { UsersRepository } from '../../users/users.repository';
import { CliError, CliIo, CommandGroup, number, Progress, UsageError } from '../cli-io';
import { type OpenService, ServiceContext } from '../service-context';
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

/** `NAME import FILE`: opens the service, reads the file and imports its rows. */
@Injectable()
abstract class ImportCommand extends CommandRunner {
  protected abstract readonly importer: Type<FileImport>;
  protected abstract readonly description: FileImportDescription;

  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  @Option({ flags: '--dry-run', description: 'report what would be done and change nothing' })
  dryRun(): boolean {
    return true;
  }

  @Option({ flags: '--partial', description: 'import the other rows although some are refused' })
  partial(): boolean {
    return true;
  }

  @Option({ flags: '--skip-refused', name: 'partial', description: 'the same as --partial' })
  skipRefused(): boolean {
    return true;
  }

  @Option({ flags: '--json', description: "print the report as JSON, as the endpoint's answer" })
  json(): boolean {
    return true;
  }

  @Option({
    flags: '--map <column=field>',
    description: 'the field that a column fills; "column=" leaves it out; may be repeated',
  })
  map(text: string, earlier: ColumnChoice[] = []): ColumnChoice[] {
    try {
      return [...earlier, parseColumnChoice(text)];
    } catch (error) {
      throw explained(error, text);
    }
  }

  @Option({ flags: '--encoding <name>', description: 'of a CSV file, such as gbk, big5 or windows-1252' })
  encoding(name: string): string {
    return checkedEncoding(name);
  }

  @Option({ flags: '--sheet <name>', description: 'of an XLSX file: the sheet to read' })
  sheet(name: string): string {
    return name;
  }

  @Option({
    flags: '--header-row <line>',
    description: 'the line that is the header, where names do not tell',
  })
  headerRow(text: string): number {
    if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--header-row: "${text}" is no line`);
    return Number(text);
  }

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

interface ExportOptions {
  force?: boolean;
  format?: FileFormat;
  versions?: 'current' | 'all';
  project?: string;
}

/** `NAME export [FILE]`: writes the same file as the endpoint. `import` can read it without changes. */
@Injectable()
abstract class ExportCommand extends CommandRunner {
  protected abstract readonly importer: Type<FileImport>;
  protected abstract readonly description: FileImportDescription;

  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  @Option({ flags: '--force', description: 'replace the file if it exists' })
  force(): boolean {
    return true;
  }

  @Option({
    flags: '--format <format>',
    description: `${FILE_FORMATS.join(', ')}; default: as the name of the file says, else csv`,
  })
  format(name: string): FileFormat {
    return oneOf('--format', name, FILE_FORMATS);
  }

  @Option({ flags: '--json', name: 'format', description: 'the same as --format json' })
  json(): FileFormat {
    return 'json';
  }

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
export function checkedEncoding(name: string): string {
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

/** Adds an option that only some commands have. */
function addOption(
  type: Type<CommandRunner>,
  option: { flags: string; name: string; description: string },
  parse: (text: string) => unknown,
): void {
  // A function of its own, because the metadata of an option belongs to the function.
  const value = (text: string) => parse(text);
  Object.defineProperty(type.prototype, option.name, { value, configurable: true });
  const descriptor = Object.getOwnPropertyDescriptor(type.prototype, option.name)!;
  Option(option)(type.prototype as object, option.name, descriptor);
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

  if (matches) {
    const names = Object.keys(matches);
    const fields = `how a row finds its record: ${names.join(', ')}`;
    addOption(Import, { flags: '--match <fields>', name: 'match', description: fields }, (name) => {
      if (names.includes(name)) return name;
      throw new UsageError(`--match: there is no "${name}" here, only ${names.join(', ')}`);
    });
  }
  if (owned) {
    const owner = `whom new ${records} belong to (required)`;
    addOption(Import, { flags: '--user <username>', name: 'user', description: owner }, (name) => name);
  }
  if (named) {
    const where = 'of the record, where the file has no such column';
    addOption(Import, { flags: '--name <name>', name: 'name', description: where }, (name) => name);
  }
  if (creates) {
    const missing = `create ${creates} that are missing`;
    addOption(
      Import,
      { flags: `--create-${creates}`, name: 'createMissing', description: missing },
      () => true,
    );
  }
  if (versioned) {
    const choice = `${VERSIONS.join(' or ')}; default: current`;
    addOption(Export, { flags: '--versions <versions>', name: 'versions', description: choice }, (name) =>
      oneOf('--versions', name, VERSIONS),
    );
    const project = 'only those of this project';
    addOption(Export, { flags: '--project <id>', name: 'project', description: project }, (id) => {
      if (isUUID(id)) return id;
      throw new UsageError(`--project: "${id}" is no id`);
    });
  }

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
