import { Injectable, type Type } from '@nestjs/common';
import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { UsersRepository } from '../../users/users.repository';
import type { FileImport, FileImportDescription, ImportRequest } from '../../files/file-import';
import { type ColumnChoice, parseColumnChoice } from '../../files/mapping/column-mapping';
import { ignoredColumns } from '../../files/import-answer';
import { type ImportFileReading, readImportFile } from '../../files/read-import-file';
import { readFileContent } from '../../files/reading/open-table';
import { COMMAND_LIMITS } from '../../files/reading/table';
import { CliError, CliIo, number, Progress, UsageError } from '../cli-io';
import { type OpenService, ServiceContext } from '../service-context';
import { checkedEncoding, explained } from './file-options';
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

/** `NAME import FILE`: opens the service, whose modules may add columns, reads the file and imports its rows. */
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
      const importer = service.get(this.importer);
      const { key, drafts, refused, notes, ignored, ...file } = await this.read(path, options, importer);
      columnOf = file.columnOf;
      return importer.import({
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
    importer: FileImport,
  ): Promise<ImportFileReading & Pick<ImportRequest, 'key'>> {
    try {
      const content = await readFileContent(path === '-' ? this.io.stdin : path, COMMAND_LIMITS);
      const description: ReturnType<FileImport['reading']> =
        name === undefined ? importer.reading(match) : this.description.named?.(name);
      if (!description) throw new UsageError(`--match ${match}: the module that has it is off`);
      const options = { choices, encoding, sheet, headerRow, limits: COMMAND_LIMITS };
      const reading = await readImportFile(content, description, options);
      if (reading.ignored.length > 0) {
        this.io.tell(`Columns without a field, ignored: ${reading.ignored.join(', ')}`);
      }
      this.io.tell(`${number(reading.rows)} rows read`);
      return { ...reading, key: description.key };
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

/** Creates the command of one import. nest-commander distinguishes commands by the names of their classes. */
export function importCommand(
  importer: Type<FileImport>,
  description: FileImportDescription,
): Type<CommandRunner> {
  const { command, help, records, owned, named, creates } = description;
  const matchNames = Object.keys(description.matches ?? {});

  class PlainImportCommand extends ImportCommand {
    protected readonly importer = importer;
    protected readonly description = description;
  }

  class MatchingImportCommand extends PlainImportCommand {
    @Option({
      flags: '--match <fields>',
      description: `how a row finds its record: ${matchNames.join(', ')}`,
    })
    match(name: string): string {
      if (matchNames.includes(name)) return name;
      throw new UsageError(`--match: there is no "${name}" here, only ${matchNames.join(', ')}`);
    }
  }

  const Plain = matchNames.length > 0 ? MatchingImportCommand : PlainImportCommand;

  class OwnedImportCommand extends Plain {
    @Option({ flags: '--user <username>', description: `whom new ${records} belong to (required)` })
    user(name: string): string {
      return name;
    }
  }

  class NamedImportCommand extends OwnedImportCommand {
    @Option({ flags: '--name <name>', description: 'of the record, where the file has no such column' })
    named(name: string): string {
      return name;
    }

    @Option({
      flags: `--create-${creates}`,
      name: 'createMissing',
      description: `create ${creates} that are missing`,
    })
    createMissing(): boolean {
      return true;
    }
  }

  const type = named ? NamedImportCommand : owned ? OwnedImportCommand : Plain;
  Object.defineProperty(type, 'name', { value: `${command}ImportCommand` });
  SubCommand({
    name: 'import',
    arguments: '<file>',
    argsDescription: {
      file: `${help.file ?? 'CSV or XLSX file with a header row, or a JSON file of the export'}; "-": standard input`,
    },
    description: help.import,
  })(type);
  return type;
}
