import { extname } from 'node:path';
import { Injectable, type Type } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { RowFilter } from '../../platform/access/row-filter';
import { TransactionManager } from '../../platform/database/transaction-manager';
import type { FileImport, FileImportDescription } from '../../files/file-import';
import { shortened } from '../../files/import-report';
import { exportPieces, FILE_FORMATS, type FileFormat } from '../../files/writing/export-pieces';
import { CliIo, number, Progress, UsageError } from '../cli-io';
import { ServiceContext } from '../service-context';
import { FileOutput } from './file-output';

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
          const pieces = exportPieces(source, format, RowFilter.EVERYTHING, query, note);
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
        `An import cannot tell apart those that are stored more than once: ${shortened(twins.labels, '; ')}`,
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

/** Creates the command of one export. nest-commander distinguishes commands by the names of their classes. */
export function exportCommand(
  importer: Type<FileImport>,
  description: FileImportDescription,
): Type<CommandRunner> {
  const { command, help, versioned } = description;

  class PlainExportCommand extends ExportCommand {
    protected readonly importer = importer;
    protected readonly description = description;
  }

  class VersionedExportCommand extends PlainExportCommand {
    @Option({ flags: '--versions <versions>', description: `${VERSIONS.join(' or ')}; default: current` })
    versions(name: string): 'current' | 'all' {
      return oneOf('--versions', name, VERSIONS);
    }

    @Option({ flags: '--project <id>', description: 'only those of this project' })
    project(id: string): string {
      if (isUUID(id)) return id;
      throw new UsageError(`--project: "${id}" is no id`);
    }
  }

  const type = versioned ? VersionedExportCommand : PlainExportCommand;
  Object.defineProperty(type, 'name', { value: `${command}ExportCommand` });
  SubCommand({
    name: 'export',
    arguments: '[file]',
    argsDescription: { file: 'where to write; standard output when absent or "-"' },
    description: help.export ?? '',
  })(type);
  return type;
}
