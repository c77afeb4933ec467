import { Command, SubCommand } from 'nest-commander';
import { AiAuditRepository, type UsageRow } from '../ai/pipeline/audit/ai-audit.repository';
import { CommandGroup, Options, UsageError, visible } from './cli-io';
import { ServiceCommand } from './service-context';

interface UsageOptions {
  since?: string;
  until?: string;
  json?: boolean;
}

const MOMENT = 'YYYY-MM-DD (midnight UTC), or with a time: 2026-11-24T08:00:00Z';

@SubCommand({
  name: 'usage',
  description:
    'Tell AI calls and tokens by user and capability, from the audit log, in columns separated by tabs. Calls from the cache and failed ones count as calls; older rows than AI_AUDIT_RETENTION_DAYS are gone',
})
@Options(
  {
    flags: '--since <moment>',
    description: `from then on: ${MOMENT}`,
    parse: (text) => momentOf(text, '--since'),
  },
  {
    flags: '--until <moment>',
    description: 'before then; by default up to now',
    parse: (text) => momentOf(text, '--until'),
  },
  { flags: '--json', description: 'as a JSON array' },
)
class AiUsageCommand extends ServiceCommand {
  async run(_: string[], { since, until, json = false }: UsageOptions): Promise<void> {
    const rows = await this.service.use((service) => service.get(AiAuditRepository).usage(since, until));
    if (json) this.io.print(JSON.stringify(rows, undefined, 2));
    else this.table(rows);
  }

  private table(rows: readonly UsageRow[]): void {
    this.io.print(['capability', 'calls', 'tokens', 'user', 'username'].join('\t'));
    for (const { capability, calls, tokens, userId, username } of rows) {
      const who = [userId ?? '-', username === null ? '-' : visible(username)];
      this.io.print([visible(capability), calls, tokens, ...who].join('\t'));
    }
    const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
    this.io.print(['total', sum(({ calls }) => calls), sum(({ tokens }) => tokens), '-', '-'].join('\t'));
  }
}

/** @throws UsageError for an invalid time */
function momentOf(text: string, option: string): string {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const moment = new Date(text);
  const isDay = day !== undefined && new Date(day).toJSON()?.startsWith(day);
  if (!isDay || (time !== undefined && Number.isNaN(moment.getTime()))) {
    throw new UsageError(`${option} must be ${MOMENT}`);
  }
  return moment.toISOString();
}

@Command({
  name: 'ai',
  description: 'What AI calls have cost',
  arguments: '[command]',
  subCommands: [AiUsageCommand],
})
export class AiCommand extends CommandGroup {}
