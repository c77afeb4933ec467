import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { CatalogueService } from '../../ingredients/catalogue/catalogue.service';
import { type IngredientDraft, readIngredientRow } from '../../ingredients/catalogue/ingredient-row';
import { CliIo, Progress } from '../cli-io';
import { printReport } from '../import/print-report';
import { addColumnChoice, readRows } from '../import/read-rows';
import { ServiceContext } from '../service-context';
import type { ColumnChoice } from '../table/column-mapping';
import { INGREDIENT_COLUMNS } from './ingredient-columns';

interface ImportOptions {
  dryRun?: boolean;
  skipRefused?: boolean;
  map?: ColumnChoice[];
}

const STEPS = { compared: 'Comparing with the catalogue', written: 'Writing' };

@SubCommand({
  name: 'import',
  arguments: '<file>',
  argsDescription: { file: 'CSV (UTF-8) or XLSX file with a header row' },
  description: 'Create and update ingredients from a file, in one transaction',
})
export class IngredientsImportCommand extends CommandRunner {
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

  async run([path = '']: string[], { dryRun, skipRefused, map: choices }: ImportOptions): Promise<void> {
    const drafts: IngredientDraft[] = [];
    const unknown = new Map<string, number>();
    const { refused } = await readRows(
      { io: this.io, path, specs: INGREDIENT_COLUMNS, choices },
      (line, cell) => {
        const { draft, reasons, unknownFunctions } = readIngredientRow(line, cell);
        if (draft) drafts.push(draft);
        for (const name of unknownFunctions) unknown.set(name, (unknown.get(name) ?? 0) + 1);
        return reasons;
      },
    );
    const notes = [...unknown].map(
      ([name, count]) =>
        `"${name}" is no CosIng function and was not used (${count} ${count === 1 ? 'row' : 'rows'})`,
    );

    const progress = new Progress(this.io);
    const report = await this.service.use((service) =>
      service.get(CatalogueService).import({
        drafts,
        refused,
        notes,
        dryRun,
        skipRefused,
        onProgress: (step, rows, of) => progress.update(STEPS[step], rows, of),
      }),
    );
    progress.done();
    printReport(this.io, report, { path, dryRun, skipRefused });
  }
}
