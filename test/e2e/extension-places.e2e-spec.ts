import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy, type StrategyCreated } from 'passport';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  AUTH_STRATEGIES,
  CUSTOM_ACCESS_POLICY,
  DatabaseService,
  EXTRA_MIGRATIONS,
  TOKEN_STRATEGY,
} from '../../src';
import { bootApp, type TestApp } from '../support/app';

const migrationOf = (table: string, time: number) =>
  class implements MigrationInterface {
    name = `Ext${table}${time}`;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE ext_${table} (id integer PRIMARY KEY)`);
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP TABLE ext_${table}`);
    }
  };

const Samples = migrationOf('samples', 1800000000001);
const Batches = migrationOf('batches', 1800000000002);
const Orders = migrationOf('orders', 1800000000003);

/** Asks a table of its own, so it cannot be made before the database is there. */
@Injectable()
class SamplesPolicy extends AccessPolicy {
  constructor(@Inject(DatabaseService) private readonly database: DatabaseService) {
    super();
  }

  async canChange(): Promise<boolean> {
    const [{ samples }] = (await this.database.query({
      text: 'SELECT count(*) AS samples FROM ext_samples',
    })) as [{ samples: number }];
    return samples > 0;
  }

  canConfigure(): boolean {
    return false;
  }
}

class BadgeStrategy extends Strategy {
  override authenticate(this: StrategyCreated<this>, { headers }: Request): void {
    if (headers['x-badge'] === undefined) return this.fail('Badge');
    this.success({ id: '00000000-0000-4000-8000-00000000000a', username: 'badge', role: 'engineer' });
  }
}

@Injectable()
class Badge extends PassportStrategy(BadgeStrategy, 'badge') {
  validate() {
    return undefined;
  }
}

// None of these is global, and none exports anything.
@Module({
  providers: [
    { provide: EXTRA_MIGRATIONS, useValue: [Samples] },
    { provide: CUSTOM_ACCESS_POLICY, useClass: SamplesPolicy },
  ],
})
class SamplesModule {}

@Module({
  providers: [
    Badge,
    { provide: EXTRA_MIGRATIONS, useValue: [Batches, Samples] },
    { provide: AUTH_STRATEGIES, useFactory: () => ['badge', TOKEN_STRATEGY] },
  ],
})
class BatchesModule {}

@Module({})
class LateModule {
  static async load(): Promise<DynamicModule> {
    await new Promise((resolve) => setImmediate(resolve));
    return { module: LateModule, providers: [{ provide: EXTRA_MIGRATIONS, useValue: [Orders] }] };
  }
}

describe('What extensions provide under tokens', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await bootApp({
      module: {
        imports: [AppModule.register({ extensions: [SamplesModule, BatchesModule, LateModule.load()] })],
      },
    });
  });
  afterAll(() => app.close());

  it('migrations of several modules all run, each once', async () => {
    const found: { name: string }[] = await app.app
      .get(DataSource)
      .query(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE 'ext\\_%' ORDER BY 1`,
      );
    expect(found.map(({ name }) => name)).toEqual(['ext_batches', 'ext_orders', 'ext_samples']);
  });

  it('a policy of a module that is not global decides, with what it injects', async () => {
    const lin = await app.register();
    const { body } = await lin.post('/api/projects', { name: '夏季' });
    const rename = () => lin.put(`/api/projects/${body.data.id}`, { name: '秋季' });
    expect((await rename()).status).toBe(403);
    await app.app.get(DataSource).query('INSERT INTO ext_samples VALUES (1)');
    expect((await rename()).status).toBe(200);
    expect((await lin.get('/api/config')).status).toBe(200);
    expect((await lin.put('/api/config', {})).status).toBe(403);
  });

  it('strategies that a module of its own names admit, ours too', async () => {
    const lin = await app.register();
    await app.app.get(DataSource).query(`INSERT INTO users (id, username, password_hash)
      VALUES ('00000000-0000-4000-8000-00000000000a', 'badge', '')`);
    expect((await app.http.get('/api/projects').set('X-Badge', '7')).status).toBe(200);
    expect((await app.http.get('/api/projects')).status).toBe(401);
    expect((await lin.get('/api/projects')).status).toBe(200);
  });

  it.each([
    [
      'two policies',
      { provide: CUSTOM_ACCESS_POLICY, useClass: SamplesPolicy },
      'CUSTOM_ACCESS_POLICY is provided in ExtensionProvidersModule and SamplesModule: there can be only one.',
    ],
    [
      'migrations that a factory makes',
      { provide: EXTRA_MIGRATIONS, useFactory: () => [Orders] },
      'EXTRA_MIGRATIONS in ExtensionProvidersModule must be a value (useValue): it is needed before anything is made.',
    ],
  ])('%s are an error at start that says where they stand', async (_, provider, message) => {
    const module = {
      imports: [AppModule.register({ extensions: [SamplesModule, BatchesModule], providers: [provider] })],
    };
    await expect(bootApp({ module })).rejects.toThrow(message);
  });
});
