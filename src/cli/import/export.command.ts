import { extname } from 'node:path';
import { Injectable, type Type } from '@nestjs/common';
import { CommandRunner, Option, SubCommand } from 'nest-commander';
import type { FileImport, FileImportDescription } from '../../imports/file-import';
import { shortened } from '../../imports/import-report';
import { UsageError } from '../cli-error';
import { CliIo, number, Progress } from '../cli-io';
import { ServiceContext } from '../service-context';
import { type Cell, CsvOutput } from './csv-output';

/** `NAME export [FILE]`: writes what `import` reads back unchanged. */
@Injectable()
abstract class ExportCommand extends CommandRunner {
  protected abstract readonly importer: Type<FileImport>;
  protected abstract readonly columns: readonly string[];
  protected abstract readonly records: string;
  protected abstract readonly keyOf: FileImportDescription['keyOf'];
  protected abstract readonly cellsOf: FileImportDescription['cellsOf'];

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

  async run([path]: string[], { force }: { force?: boolean }): Promise<void> {
    const extension = path === undefined ? '' : extname(path);
    if (!/^(\.csv)?$/i.test(extension)) {
      throw new UsageError(
        `${path}: an export is a CSV file, which Excel opens; give it a name that ends with .csv`,
      );
    }
    const output = await CsvOutput.open(path, { force, stdout: this.io.stdout });
    const progress = new Progress(this.io);
    let count = 0;
    const twins = new Twins(this.keyOf);
    try {
      await this.service.use(async (service) => {
        await output.write([this.columns]);
        await service.get(this.importer).export?.(async (records) => {
          records.forEach((record) => twins.add(record));
          const rows = records.map((record) => this.cellsOf?.(record) ?? record);
          await output.write(rows.map((row) => this.columns.map((column) => row[column] as Cell)));
          progress.update('Writing', (count += records.length));
        });
      });
      await output.close();
    } catch (error) {
      await output.discard();
      throw error;
    } finally {
      progress.done();
    }
    this.io.tell(`${number(count)} ${this.records} written${path === undefined ? '' : ` to ${path}`}`);
    if (twins.labels.length > 0) {
      this.io.tell(
        `An import cannot tell apart those that are stored more than once: ${shortened(twins.labels, '; ')}`,
      );
    }
  }
}

/** Records that an import takes for one. */
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

/** The command of one export. nest-commander tells commands apart by the names of their classes. */
export function exportCommand(
  importer: Type<FileImport>,
  { command, help, records, keyOf, cellsOf, exported = [] }: FileImportDescription,
): Type<CommandRunner> {
  class TableExportCommand extends ExportCommand {
    protected readonly importer = importer;
    protected readonly columns = exported;
    protected readonly records = records;
    protected readonly keyOf = keyOf;
    protected readonly cellsOf = cellsOf;
  }
  Object.defineProperty(TableExportCommand, 'name', { value: `${command}ExportCommand` });
  SubCommand({
    name: 'export',
    arguments: '[file]',
    argsDescription: { file: 'where to write; standard output when absent' },
    description: help.export ?? '',
  })(TableExportCommand);
  return TableExportCommand;
}
