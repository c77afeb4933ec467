import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Command, CommandRunner, SubCommand } from 'nest-commander';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { z } from 'zod';
import { AppModule } from '../../src/app.module';
import { CliIo, EXTRA_COMMANDS, ServiceContext, UsageError } from '../../src/cli';
import { EXTRA_ROLES } from '../../src/platform/common/registered-roles';
import { Environment } from '../../src/platform/config/environment';
import { EXTRA_SETTINGS } from '../../src/platform/config/extra-settings';
import { EXTRA_MIGRATIONS } from '../../src/platform/database/database.module';
import { DatabaseService } from '../../src/platform/database/database.service';
import type { DomainEvent } from '../../src/platform/events/domain-event';
import { EVENT_HANDLER } from '../../src/platform/events/event-handlers';
import { startService } from '../../src/start-service';
import { bootApp } from '../support/app';
import { cli } from '../support/cli';

const schema = z.object({ SHELF_MONTHS: z.coerce.number().int().min(1).default(30) });

class Shelves1767300000000 implements MigrationInterface {
  name = 'Shelves1767300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE shelves (name text NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shelves');
  }
}

@Command({ name: 'shelves', arguments: '<name>', description: 'Adds a shelf' })
class ShelvesCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  async run([name = '']: string[]): Promise<void> {
    if (name.startsWith('-')) throw new UsageError('a shelf has a name');
    await this.service.use(async (service) => {
      await service.get(DatabaseService).query({ text: 'INSERT INTO shelves VALUES ($1)' }, [name]);
      this.io.print(`${name}: ${service.get(Environment).extra(schema).SHELF_MONTHS} months`);
    });
  }
}

const told: string[] = [];
const handler = {
  name: 'shelves',
  events: ['ingredient.created'] as const,
  inTransaction: ({ data }: DomainEvent<'ingredient.created'>) => void told.push(data.inciName),
};

@Module({
  providers: [
    { provide: EXTRA_COMMANDS, useValue: [ShelvesCommand] },
    { provide: EXTRA_SETTINGS, useValue: schema },
    { provide: EXTRA_MIGRATIONS, useValue: [Shelves1767300000000] },
    { provide: EVENT_HANDLER, useValue: handler },
    { provide: EXTRA_ROLES, useValue: 'viewer' },
  ],
})
class ShelvesModule {}

const root = AppModule.register({ extensions: [Promise.resolve({ module: ShelvesModule })] });

describe('Commands of an application with extensions', () => {
  const saved = { ...process.env };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
  });
  beforeEach(() => {
    delete process.env.DATABASE_URL;
    process.env.DATA_DIR = join(folder, 'data');
  });
  afterEach(() => {
    process.env = { ...saved };
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are there beside ours, with help and exit codes', async () => {
    process.env.DATABASE_URL = 'postgres://127.0.0.1:1/none';
    expect((await cli(['--help'], { module: root })).stdout).toMatch(/shelves <name> +Adds a shelf/);
    expect((await cli(['--help'])).stdout).not.toContain('shelves');
    expect(await cli(['shelves'], { module: root })).toMatchObject({ code: 2, stdout: '' });
    expect(await cli(['shelves', 'shelf', 'two'], { module: root })).toMatchObject({ code: 2 });
    const { stderr } = await cli(['users', 'set-role', 'lin', 'nonsense'], { module: root });
    expect(stderr).toContain('the roles are engineer, admin, viewer');
  });

  it('are refused where one is none, or has the name of another', async () => {
    @Command({ name: 'users', description: 'Another' })
    class UsersCommand extends CommandRunner {
      async run(): Promise<void> {}
    }
    const withCommands = (useValue: unknown) => {
      @Module({ providers: [{ provide: EXTRA_COMMANDS, useValue }] })
      class WrongModule {}
      return cli(['--help'], { module: AppModule.register({ extensions: [WrongModule] }) });
    };
    for (const wrong of ['users', undefined, [class {}], [UsersCommand, null]]) {
      expect(await withCommands(wrong)).toMatchObject({
        code: 1,
        stderr: 'Error: EXTRA_COMMANDS in WrongModule must be a list of classes that extend CommandRunner.\n',
      });
    }
    class Undecorated extends CommandRunner {
      async run(): Promise<void> {}
    }
    @SubCommand({ name: 'lost' })
    class Parentless extends CommandRunner {
      async run(): Promise<void> {}
    }
    for (const leftOut of [Undecorated, Parentless]) {
      const { code, stderr } = await withCommands([leftOut]);
      expect(code).toBe(1);
      expect(stderr).toContain(
        `EXTRA_COMMANDS in WrongModule: ${leftOut.name} is no command: it needs @Command()`,
      );
    }
    const { code, stderr } = await withCommands([UsersCommand]);
    expect(code).toBe(1);
    expect(stderr).toBe("Error: EXTRA_COMMANDS: there is a command 'users' already, and names are unique.\n");
  });

  it('find its tables, settings and handlers; without the module nothing is done to its database', async () => {
    process.env.SHELF_MONTHS = '12';
    const added = await cli(['shelves', 'left'], { module: root });
    expect(added).toMatchObject({ code: 0, stdout: 'left: 12 months\n' });
    const path = join(folder, 'a.csv');
    await writeFile(path, 'inciName,chineseName,functionCategory\nGlycerin,甘油,humectant\n');

    const refused = await cli(['ingredients', 'import', path]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      'an extension that is not registered, has changed this database (Shelves1767300000000)',
    );
    expect(told).toEqual([]);

    expect(await cli(['ingredients', 'import', path], { module: root })).toMatchObject({ code: 0 });
    expect(told).toEqual(['Glycerin']);
    const service = await bootApp({
      settings: { DATA_DIR: process.env.DATA_DIR! },
      module: { imports: [root] },
    });
    try {
      const user = await service.register();
      expect((await user.get('/api/ingredients').expect(200)).body.pagination.total).toBe(1);
      expect(service.app.get(Environment).extra(schema)).toEqual({ SHELF_MONTHS: 30 });
    } finally {
      await service.close();
    }
  });

  it.each([
    ['a command', () => cli(['shelves', 'x'], { module: root }).then(({ stderr }) => stderr)],
    ['the service', () => startService(root).then(String, String)],
  ])('tell faults in settings together, without values: %s', async (_, start) => {
    process.env.SHELF_MONTHS = 'secret-0';
    process.env.PORT = 'secret-1';
    const said = await start();
    expect(said).toMatch(/Invalid settings:\n {2}- PORT .*\n {2}- SHELF_MONTHS .*/);
    expect(said).not.toContain('secret');
  });
});
