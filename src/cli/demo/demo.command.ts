import { Command } from 'nest-commander';
import { number, Options } from '../cli-io';
import { ServiceCommand } from '../service-context';
import { checkedPassword, readPassword } from '../read-password';
import { DEMO_USERNAME } from './demo-content';
import { DemoLaboratory, type DemoReport } from './demo-laboratory';

interface DemoOptions {
  password?: boolean;
  passwordFile?: string;
}

@Command({
  name: 'demo',
  description:
    'Load a demo laboratory: common ingredients, formulas in three projects, colour shades. Loads nothing twice and changes nothing that is there',
})
@Options(
  {
    flags: '--password',
    description: `let somebody sign in as "${DEMO_USERNAME}": the password is asked for, or read from standard input`,
  },
  { flags: '--password-file <file>', description: 'the same, from the first line of a file' },
)
export class DemoCommand extends ServiceCommand {
  async run(_arguments: string[], { password, passwordFile }: DemoOptions): Promise<void> {
    const wanted = password === true || passwordFile !== undefined;
    const secret = wanted ? checkedPassword(await readPassword(this.io, passwordFile)) : undefined;
    const report = await this.service.use((service) => new DemoLaboratory(service).load(secret));
    this.tell(report, wanted);
  }

  private tell(report: DemoReport, passwordWanted: boolean): void {
    const { user, ingredients, projects, formulas, colors, limits } = report;
    const parts = [
      ['ingredients', ingredients],
      ['projects', projects],
      ['formulas', formulas],
      ['colour formulas', colors],
      ['tables of limits', limits],
    ] as const;
    for (const [name, { created, unchanged }] of parts) {
      this.io.print(`${name}: ${number(created)} created, ${number(unchanged)} there already`);
    }
    if (user.created === 1) {
      this.io.print(
        passwordWanted
          ? `They belong to the new user "${DEMO_USERNAME}".`
          : `They belong to the new user "${DEMO_USERNAME}", which nobody can sign in as: sign in with an account of your own to see them.`,
      );
    } else if (passwordWanted) {
      this.io.print(`The user "${DEMO_USERNAME}" was there already; its password has not been changed.`);
    }
    if ([user, ...parts.map(([, loaded]) => loaded)].every(({ created }) => created === 0)) {
      this.io.print('Nothing has been changed: the demo laboratory was there already.');
    }
  }
}
