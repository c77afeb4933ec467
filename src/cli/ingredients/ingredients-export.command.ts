import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { CatalogueService } from '../../ingredients/catalogue/catalogue.service';
import { CliIo, number, Progress } from '../cli-io';
import { CsvOutput } from '../table/csv-output';
import { ServiceContext } from '../service-context';

const COLUMNS = [
  'inciName',
  'chineseName',
  'functionCategory',
  'supplier',
  'unit',
  'unitPrice',
  'description',
] as const;

@SubCommand({
  name: 'export',
  arguments: '[file]',
  argsDescription: { file: 'where to write; standard output when absent' },
  description: 'Write the catalogue as a CSV file that import reads and Excel opens',
})
export class IngredientsExportCommand extends CommandRunner {
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
        await output.write([COLUMNS]);
        await service.get(CatalogueService).export(async (records) => {
          await output.write(records.map((record) => COLUMNS.map((column) => record[column])));
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
    this.io.tell(`${number(count)} ingredients written${path === undefined ? '' : ` to ${path}`}`);
  }
}
