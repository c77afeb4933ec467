import { types as pgTypes } from 'pg';
import { dataSourceOptions } from './data-source-options';
import { coreMigrations } from './migrations';

const driver = {};

describe('dataSourceOptions', () => {
  const common = {
    type: 'postgres',
    driver,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    synchronize: false,
    logging: false,
    entities: [],
    migrations: coreMigrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    poolErrorHandler: undefined,
  };
  const extra = {
    types: expect.anything() as unknown,
    application_name: 'formula-development-service',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };

  it('of a server have its address; a request waits for 5 s for a connection', () => {
    const url = 'postgres://db/lab';
    expect(dataSourceOptions({ url, driver, poolSize: 7 })).toEqual({
      ...common,
      url,
      poolSize: 7,
      extra: { ...extra, connectionTimeoutMillis: 5000 },
    });
  });

  it('of the embedded database have none; all wait for one session, 15 s', () => {
    const options = dataSourceOptions({ driver, poolSize: 4 });
    expect(options).toEqual({ ...common, poolSize: 4, extra: { ...extra, connectionTimeoutMillis: 15_000 } });
    expect(options).not.toHaveProperty('url');
  });

  it('have what is given: entities, migrations after ours, a name, a listener', () => {
    class Entity {}
    class Later {}
    const onPoolError = () => undefined;
    const schema = { entities: [Entity], extraMigrations: [Later], onPoolError };
    expect(dataSourceOptions({ driver, poolSize: 1, applicationName: 'x' }, schema)).toMatchObject({
      entities: [Entity],
      migrations: [...coreMigrations, Later],
      poolErrorHandler: onPoolError,
      extra: { application_name: 'x' },
    });
  });

  it('make numbers of numeric and int8, and leave other types to pg', () => {
    const { types } = dataSourceOptions({ driver, poolSize: 1 }).extra as {
      types: { getTypeParser(oid: number, format?: string): (text: string) => unknown };
    };
    expect(types.getTypeParser(20)('9007199254740991')).toBe(9_007_199_254_740_991);
    expect(types.getTypeParser(1700)('12.50')).toBe(12.5);
    for (const format of ['text', 'binary'] as const) {
      expect(types.getTypeParser(1184, format)).toBe(pgTypes.getTypeParser(1184, format));
    }
  });
});
