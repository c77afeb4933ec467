import { Injectable, type Type } from '@nestjs/common';
import { CommandRunner, Option, SubCommand } from 'nest-commander';
import type { FileImport, FileImportDescription } from '../../common/import/file-import';
import { CliIo, number, Progress } from '../cli-io';
import { ServiceContext } from '../service-context';
import { type Cell, CsvOutput } from '../table/csv-output';

/** `NAME export [FILE]`: writes what `import` reads back unchanged. */
@Injectable()
abstract class ExportCommand extends CommandRunner {
  protected abstract readonly importer: Type<FileImport>;
  protected abstract readonly columns: readonly string[];
  protected abstract readonly records: string;

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
    const output = await CsvOutput.open(path, { force, stdout: this.io.stdout });
    const progress = new Progress(this.io);
    let count = 0;
    try {
      await this.service.use(async (service) => {
        await output.write([this.columns]);
        await service.get(this.importer).export?.(async (records) => {
          await output.write(records.map((record) => this.columns.map((column) => record[column] as Cell)));
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
  }
}

/** The command of one export. nest-commander tells commands apart by the names of their classes. */
export function exportCommand(
  importer: Type<FileImport>,
  { command, help, records, exported = [] }: FileImportDescription,
): Type<CommandRunner> {
  class TableExportCommand extends ExportCommand {
    protected readonly importer = importer;
    protected readonly columns = exported;
    protected readonly records = records;
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
