import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { ColorImportService } from '../../color/import/color-import.service';
import { type ColorDraft, readColorRow } from '../../color/import/color-row';
import { UsersRepository } from '../../users/users.repository';
import { CliError, UsageError } from '../cli-error';
import { CliIo, Progress } from '../cli-io';
import { printReport } from '../import/print-report';
import { addColumnChoice, readRows } from '../import/read-rows';
import { ServiceContext } from '../service-context';
import type { ColumnChoice } from '../table/column-mapping';
import { COLOR_COLUMNS } from './color-columns';

interface ImportOptions {
  user?: string;
  dryRun?: boolean;
  skipRefused?: boolean;
  map?: ColumnChoice[];
}

const STEPS = { compared: 'Comparing with the stored colours', written: 'Writing' };

@SubCommand({
  name: 'import',
  arguments: '<file>',
  argsDescription: {
    file: 'CSV (UTF-8) or XLSX file with a header row: name, L, a, b (CIELAB, D65); measuredL, measuredA, measuredB, deltaE, composition (JSON, or a list like "CI 77491: 2.4; CI 77891: 5.1")',
  },
  description:
    'Create and update colour formulas from a file, in one transaction; a row is the colour of its name',
})
export class ColorsImportCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  @Option({ flags: '--user <username>', description: 'whom new colours belong to (required)' })
  user(name: string): string {
    return name;
  }

  @Option({ flags: '--dry-run', description: 'report what would be done and change nothing' })
  dryRun(): boolean {
    return true;
  }

  @Option({ flags: '--skip-refused', description: 'import the other rows although some are refused' })
  skipRefused(): boolean {
    return true;
  }

  @Option({
    flags: '--map <column=field>',
    description: 'the field that a column fills; "column=" leaves it out; may be repeated',
  })
  map(text: string, earlier?: ColumnChoice[]): ColumnChoice[] {
    return addColumnChoice(text, earlier);
  }

  async run(
    [path = '']: string[],
    { user, dryRun, skipRefused, map: choices }: ImportOptions,
  ): Promise<void> {
    if (!user?.trim()) throw new UsageError('--user is missing: whom do new colours belong to?');
    const drafts: ColorDraft[] = [];
    const refused = await readRows({ io: this.io, path, columns: COLOR_COLUMNS, choices }, (line, cell) => {
      const { draft, reasons } = readColorRow(line, cell);
      if (draft) drafts.push(draft);
      return reasons;
    });

    const progress = new Progress(this.io);
    const report = await this.service.use(async (service) => {
      const owner = await service.get(UsersRepository).findCredentials(user.trim());
      if (!owner) throw new CliError(`There is no user "${user.trim()}".`);
      return service.get(ColorImportService).import({
        drafts,
        refused,
        createdBy: owner.id,
        dryRun,
        skipRefused,
        onProgress: (step, rows, of) => progress.update(STEPS[step], rows, of),
      });
    });
    progress.done();
    printReport(this.io, report, { path, dryRun, skipRefused });
  }
}
