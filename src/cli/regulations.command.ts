import { Command, SubCommand } from 'nest-commander';
import { ConflictError, InvalidInputError } from '../platform/common/errors/service-error';
import { readImportFile } from '../files/read-import-file';
import { readFileContent } from '../files/reading/open-table';
import { LIMIT_FILE, type LimitFile, limitsOf } from '../regulations/editions/limit-file';
import { RegulationsService, MAX_LIMITS } from '../regulations/editions/regulations.service';
import { refusalText } from '../regulations/regulations.texts';
import { CliError, CommandGroup, number, Options, SilentFailure, UsageError, visible } from './cli-io';
import { ENCODING, explained, PARTIAL, SHEET } from './import/file-commands';
import { ServiceCommand } from './service-context';

interface LimitsImportOptions {
  edition?: string;
  partial?: boolean;
  sheet?: string;
  encoding?: string;
}

@SubCommand({
  name: 'import',
  arguments: '<files...>',
  argsDescription: {
    files: 'CSV or XLSX files: our columns, or annexes as CosIng exports them; together one edition',
  },
  description: 'Import a table of limits as an edition; refused rows are listed with their reasons',
})
@Options(
  { flags: '--edition <name>', description: 'name of the edition, such as "EU 2026-08" (required)' },
  PARTIAL,
  ENCODING,
  SHEET,
)
class LimitsImportCommand extends ServiceCommand {
  async run(paths: string[], options: LimitsImportOptions): Promise<void> {
    const name = options.edition?.trim();
    if (!name) throw new UsageError('--edition is missing: which name does the table get?');
    const files: LimitFile[] = [];
    for (const path of paths) files.push(await this.read(path, options));
    const file = {
      limits: files.flatMap(({ limits }) => limits),
      refused: files.flatMap(({ refused }) => refused),
    };
    const t = refusalText.in('en');
    for (const [index, { refused }] of files.entries()) {
      for (const { row, column, reason, value } of refused) {
        const place = files.length > 1 ? `${paths[index]}, row ${row}` : `row ${row}`;
        this.io.print(
          visible([place, column, t(`limit-refusal.${reason}`), value].filter(Boolean).join(': ')),
        );
      }
    }
    if (file.refused.length > 0 && !options.partial) {
      this.io.print(`Nothing was imported: ${rowsRefused(file)} (--partial imports the others).`);
      throw new SilentFailure();
    }
    const { rowCount } = await this.service.use(async (service) => {
      try {
        return await service
          .get(RegulationsService)
          .importEdition(name, file, { isPartial: options.partial, lang: 'en' });
      } catch (error) {
        if (error instanceof ConflictError) throw new CliError(`There is an edition "${name}" already.`);
        if (error instanceof InvalidInputError) {
          throw new CliError(`${paths.join(', ')}: there is no limit, or more than ${number(MAX_LIMITS)}.`);
        }
        throw error;
      }
    });
    const unknown = file.limits.filter(({ productTypes }) => productTypes === null).length;
    this.io.print(
      `Imported "${visible(name)}": ${number(rowCount)} limits, ${rowsRefused(file)}; ` +
        `the product types of ${number(unknown)} limits are unknown.`,
    );
  }

  private async read(path: string, { encoding, sheet }: LimitsImportOptions): Promise<LimitFile> {
    try {
      const reading = await readImportFile(await readFileContent(path), LIMIT_FILE, { encoding, sheet });
      return await limitsOf(reading);
    } catch (error) {
      throw explained(error, path);
    }
  }
}

const rowsRefused = ({ refused: { length } }: LimitFile) =>
  `${number(length)} ${length === 1 ? 'row' : 'rows'} refused`;

@SubCommand({
  name: 'list',
  description: 'List the editions, the one imported last first, in columns separated by tabs',
})
class LimitsListCommand extends ServiceCommand {
  async run(): Promise<void> {
    this.io.print(['id', 'imported', 'limits', 'refused', 'regions', 'name'].join('\t'));
    await this.service.use(async (service) => {
      const limits = service.get(RegulationsService);
      for (let page = 1, left = 1; left > 0; page++) {
        const { rows, total } = await limits.listEditions({ page, limit: 100 });
        left = total - page * 100;
        for (const { id, importedAt, rowCount, refusedCount, regions, name } of rows) {
          this.io.print(
            [id, importedAt, rowCount, refusedCount, regions.join(','), visible(name)].join('\t'),
          );
        }
      }
    });
  }
}

@SubCommand({
  name: 'remove',
  arguments: '<edition>',
  argsDescription: { edition: 'its name' },
  description: 'Remove an edition with its limits',
})
class LimitsRemoveCommand extends ServiceCommand {
  async run([name = '']: string[]): Promise<void> {
    const isRemoved = await this.service.use((service) => service.get(RegulationsService).removeNamed(name));
    if (!isRemoved) throw new CliError(`There is no edition "${name}".`);
    this.io.print(`Removed "${visible(name)}".`);
  }
}

const COMMANDS = [LimitsImportCommand, LimitsListCommand, LimitsRemoveCommand];

@Command({
  name: 'limits',
  description: 'Tables of limits that formulas are compared with',
  arguments: '[command]',
  subCommands: COMMANDS,
})
class LimitsCommand extends CommandGroup {}

export const LIMITS_COMMANDS = [LimitsCommand, ...COMMANDS];
