import { EventEmitter } from 'node:events';
import { Global, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Environment, parseEnvironment } from '../config/environment';
import { ObservabilityModule } from '../observability/tracing';
import { DatabaseModule, EXTRA_MIGRATIONS, REMOVED_MIGRATIONS } from './database.module';
import { DatabaseService } from './database.service';
import { openDataSource } from './open-data-source';

jest.mock('./open-data-source');

const environment = parseEnvironment({
  DATABASE_URL: 'postgres://db/lab',
  DATABASE_POOL_SIZE: '7',
  DATABASE_STATEMENT_TIMEOUT: '60',
  DATABASE_LOCK_TIMEOUT: '9',
});

class Extra {
  name = 'Extra1790000000000';
  up() {}
  down() {}
}
/** Its functions are properties. */
class Former {
  name = 'Former1790000000000';
  up = () => undefined;
  down = () => undefined;
}

@Global()
@Module({
  providers: [{ provide: Environment, useValue: environment }],
  exports: [Environment],
})
class SettingsModule {}

@Global()
@Module({ providers: [{ provide: EXTRA_MIGRATIONS, useValue: [Extra] }], exports: [EXTRA_MIGRATIONS] })
class ExtraModule {}

@Module({ providers: [{ provide: REMOVED_MIGRATIONS, useValue: [Former, Former] }] })
class FormerModule {}

@Module({ providers: [{ provide: REMOVED_MIGRATIONS, useValue: [Former, Extra] }] })
class ContradictingModule {}

describe('DatabaseModule', () => {
  const open = jest.mocked(openDataSource);
  const compile = (...modules: (new () => object)[]) =>
    Test.createTestingModule({
      imports: [SettingsModule, ObservabilityModule, ...modules, DatabaseModule],
    }).compile();
  const destroy = jest.fn(() => Promise.resolve());

  beforeEach(() => {
    const driver = { master: new EventEmitter() };
    const source = { isInitialized: true, createQueryRunner: () => undefined, driver, options: {}, destroy };
    open.mockReset().mockResolvedValue(source as never);
  });
  afterEach(() => jest.restoreAllMocks());

  it('opens the database by the settings, with what extensions add, and closes it at the end', async () => {
    const [log, warn] = (['log', 'warn'] as const).map((level) =>
      jest.spyOn(Logger.prototype, level).mockImplementation(),
    );
    const module = await compile(ExtraModule, FormerModule);
    expect(module.get(DatabaseService)).toBeInstanceOf(DatabaseService);
    expect(open).toHaveBeenCalledTimes(1);
    const [options] = open.mock.calls[0]!;
    expect(options).toMatchObject({
      location: { kind: 'server', url: 'postgres://db/lab' },
      poolSize: 7,
      limits: { statementSeconds: 60, lockSeconds: 9 },
      entities: expect.any(Array) as unknown,
      extraMigrations: [Extra],
      removedMigrations: [Former],
    });
    log!.mockClear();
    options.log('x');
    options.warn('y');
    expect([log!.mock.calls, warn!.mock.calls]).toEqual([[['x']], [['y']]]);
    for (const spy of [log!, warn!]) expect(spy.mock.contexts.at(-1)).toMatchObject({ context: 'Database' });
    await module.close();
    expect(destroy).toHaveBeenCalledTimes(1);
  });

  it('needs no extensions', async () => {
    await compile();
    expect(open.mock.calls[0]![0]).toMatchObject({ extraMigrations: [], removedMigrations: [] });
  });

  it('does not take a migration that is to be run and undone', async () => {
    await expect(compile(ExtraModule, ContradictingModule)).rejects.toThrow(
      'Extra is under EXTRA_MIGRATIONS and under REMOVED_MIGRATIONS: it can be only one.',
    );
    expect(open).not.toHaveBeenCalled();
  });

  it('tries once: a database that is not there is an error at once', async () => {
    const error = new Error('nobody is there');
    open.mockRejectedValue(error);
    await expect(compile()).rejects.toBe(error);
    expect(open).toHaveBeenCalledTimes(1);
  });
});
