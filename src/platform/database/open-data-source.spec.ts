import { AsyncLocalStorage } from 'node:async_hooks';
import { basename, resolve } from 'node:path';
import * as pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { setUpDatabase } from './database-setup';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded/embedded-postgres';
import { migratedTemplateFile } from './migrated-template';
import { createDataSource, openDataSource } from './open-data-source';
import { serverDriver } from './server-driver';

jest.mock('./database-setup');
jest.mock('./embedded/embedded-postgres');
jest.mock('./migrated-template');
jest.mock('./server-driver');

const SERVER = { kind: 'server', url: 'postgres://lin:hidden@db:5433/lab' } as const;
const DIRECTORY = { kind: 'directory', dataDir: 'data' } as const;
const MEMORY = { kind: 'memory' } as const;

// eslint-disable-next-line @typescript-eslint/unbound-method -- it stands in for the method
const openEmbedded = EmbeddedPostgres.open as jest.Mock<Promise<unknown>, [EmbeddedPostgresOptions]>;

class Extra {}
class Former {}

const steps: string[] = [];
const faults: { initialize?: Error; setUp?: Error; destroy?: Error; save?: Error } = {};
const told: string[] = [];
const log = (text: string) => void told.push(`log: ${text}`);
const warn = (text: string) => void told.push(`warn: ${text}`);

const take = (step: string, fault?: Error) => {
  steps.push(step);
  return fault ? Promise.reject(fault) : Promise.resolve();
};
let hasMigrated = false;
const embedded = {
  driver: pg,
  saveTemplate: (file: string) => take(`save ${basename(file)}`, faults.save),
  limitStatements: () => void steps.push('limit'),
  close: () => take('close'),
};
const sources: DataSource[] = [];
const optionsOf = (source: DataSource) =>
  source.options as DataSourceOptions & {
    url?: string;
    extra: { application_name: string };
    poolSize: number;
  };

beforeEach(() => {
  for (const list of [steps, told, sources]) list.length = 0;
  for (const fault of Object.keys(faults)) delete faults[fault as keyof typeof faults];
  hasMigrated = false;
  jest.mocked(serverDriver).mockReturnValue(pg);
  jest.mocked(migratedTemplateFile).mockReturnValue('kept.tar.gz');
  jest.mocked(setUpDatabase).mockImplementation(async () => {
    await take('set up', faults.setUp);
    return hasMigrated;
  });
  openEmbedded.mockImplementation(() => take('open').then(() => embedded));
  jest.spyOn(DataSource.prototype, 'initialize').mockImplementation(async function (this: DataSource) {
    sources.push(this);
    await take('initialize', faults.initialize);
    return Object.assign(this, { isInitialized: true });
  });
  jest.spyOn(DataSource.prototype, 'destroy').mockImplementation(() => take('destroy', faults.destroy));
  jest.spyOn(DataSource.prototype, 'query').mockImplementation((text) => take(text));
});
afterEach(() => jest.resetAllMocks());

describe('createDataSource', () => {
  it('tells of lost connections outside of the request in whose time they were made or lost', async () => {
    const request = new AsyncLocalStorage<string>();
    const said: unknown[] = [];
    const tell = (text: string) => said.push([text, request.getStore()]);
    const { options } = await createDataSource({ location: SERVER, poolSize: 1, log: tell, warn: tell });
    said.length = 0;
    const { poolErrorHandler } = options as { poolErrorHandler: (error: Error) => void };
    request.run('a request', () => poolErrorHandler(new Error('cut')));
    expect(said).toEqual([['Lost an idle database connection: cut', undefined]]);
  });

  it('tells what the embedded database says, in no request either', async () => {
    const request = new AsyncLocalStorage<string>();
    const said: unknown[] = [];
    const options = {
      log: (text: string) => said.push(['log', text, request.getStore()]),
      warn: (text: string) => said.push(['warn', text, request.getStore()]),
    };
    await createDataSource({ location: MEMORY, poolSize: 1, ...options });
    said.length = 0;
    const { onProgress, onWarning, onCrash } = openEmbedded.mock.calls[0]![0];
    request.run('a request', () => {
      onProgress!('made');
      onWarning!('slow');
      onCrash!(new Error('dead') as never);
    });
    expect(said).toEqual([
      ['log', 'made', undefined],
      ['warn', 'slow', undefined],
      ['warn', 'dead', undefined],
    ]);
  });

  it.each([
    [SERVER, 'PostgreSQL at db:5433/lab'],
    [{ kind: 'server', url: 'postgresql://db/lab' }, 'PostgreSQL at db/lab'],
    [{ kind: 'server', url: 'postgres:///lab?host=/run' }, 'PostgreSQL at local socket/lab'],
    [DIRECTORY, `Embedded PostgreSQL in ${resolve('data')}`],
    [MEMORY, 'Embedded PostgreSQL in memory'],
  ] as const)('says where the data is, without a password: %j', async (location, expected) => {
    await createDataSource({ location, poolSize: 1, log, warn });
    expect(told).toEqual([`log: ${expected}`]);
  });

  it('has as many connections as the settings say on a server, four on the one session', async () => {
    const limits = { statementSeconds: 7, lockSeconds: 2 };
    const entities = [Extra];
    const more = { poolSize: 9, limits, applicationName: 'x', entities, extraMigrations: [Extra], log, warn };
    const server = optionsOf(await createDataSource({ location: SERVER, ...more }));
    expect(server).toMatchObject({
      url: SERVER.url,
      poolSize: 9,
      entities,
      extra: { application_name: 'x' },
    });
    expect(server.migrations).toContain(Extra);
    expect(serverDriver).toHaveBeenCalledWith(limits);
    const inMemory = optionsOf(await createDataSource({ location: MEMORY, ...more, templateFile: 'file' }));
    expect(inMemory).toMatchObject({ poolSize: 4, entities });
    expect(inMemory.migrations).toContain(Extra);
    expect(openEmbedded).toHaveBeenCalledWith(
      expect.objectContaining({ dataDir: undefined, templateFile: 'file' }),
    );
  });
});

describe('openDataSource on the embedded database', () => {
  const open = (location: typeof DIRECTORY | typeof MEMORY, extraMigrations?: (new () => object)[]) =>
    openDataSource({
      location,
      poolSize: 1,
      extraMigrations,
      removedMigrations: [Former],
      log,
      warn,
    });
  const begin = ['open', 'initialize', 'set up'];

  it.each([
    ['writes a new schema down', DIRECTORY, true, undefined, ['CHECKPOINT', 'limit']],
    ['has nothing to write down without one', DIRECTORY, false, undefined, ['limit']],
    ['keeps what it has migrated in memory', MEMORY, true, undefined, ['save kept.tar.gz', 'limit']],
    ['keeps it without extensions', MEMORY, true, [], ['save kept.tar.gz', 'limit']],
    ['keeps none with extensions', MEMORY, true, [Extra], ['limit']],
    ['keeps none that it began with', MEMORY, false, undefined, ['limit']],
  ] as const)('%s, and limits statements at the end', async (_, location, migrated, extra, end) => {
    hasMigrated = migrated;
    const source = await open(location, extra && [...extra]);
    expect(steps).toEqual([...begin, ...end]);
    expect(setUpDatabase).toHaveBeenCalledWith(
      source,
      expect.objectContaining({ log, warn, isServer: false, removedMigrations: [Former] }),
    );
  });

  it('begins in memory with a kept one that is there, in a directory with none', async () => {
    const templates = async (file: string, location: typeof DIRECTORY | typeof MEMORY) => {
      jest.mocked(migratedTemplateFile).mockReturnValue(file);
      await open(location);
      return openEmbedded.mock.lastCall![0].templateFile;
    };
    expect(await templates(__filename, MEMORY)).toBe(__filename);
    expect(await templates('not-there.tar.gz', MEMORY)).toBeUndefined();
    expect(await templates(__filename, DIRECTORY)).toBeUndefined();
  });

  it('does not mind when nothing can be kept', async () => {
    hasMigrated = true;
    faults.save = new Error('no space');
    await open(MEMORY);
    expect(steps).toEqual([...begin, 'save kept.tar.gz', 'limit']);
  });

  it.each(['initialize', 'setUp'] as const)('lets go of it when %s fails, and says why', async (step) => {
    const error = new Error('no');
    Object.assign(faults, { [step]: error, destroy: new Error('nor that') });
    await expect(open(DIRECTORY)).rejects.toBe(error);
    expect(steps.slice(-2)).toEqual(['destroy', 'close']);
  });

  it('ends it with the data source, also when that does not end well', async () => {
    const source = await open(MEMORY);
    steps.length = 0;
    await source.destroy();
    expect(steps).toEqual(['destroy', 'close']);
    faults.destroy = new Error('no');
    await expect(source.destroy()).rejects.toBe(faults.destroy);
    expect(steps).toEqual(['destroy', 'close', 'destroy', 'close']);
  });
});

describe('openDataSource on a server', () => {
  const limits = { statementSeconds: 7, lockSeconds: 2 };
  const options = {
    location: SERVER,
    poolSize: 9,
    limits,
    entities: [Extra],
    removedMigrations: [Former],
    log,
    warn,
  };

  it('sets it up on connections of its own, without limits, then says nothing of its own', async () => {
    const source = await openDataSource(options);
    expect(steps).toEqual(['initialize', 'set up', 'destroy', 'initialize']);
    const [setUp, own] = sources;
    expect(own).toBe(source);
    expect(setUpDatabase).toHaveBeenCalledWith(setUp, { ...options, isServer: true });
    expect(optionsOf(setUp!)).toMatchObject({
      poolSize: 3,
      entities: [],
      extra: { application_name: 'formula-migrations' },
    });
    expect(optionsOf(own!)).toMatchObject({
      poolSize: 9,
      entities: [Extra],
      extra: { application_name: 'formula-development-service' },
    });
    expect(jest.mocked(serverDriver).mock.calls.map(([given]) => given)).toEqual([undefined, limits]);
    expect(told).toEqual(['log: PostgreSQL at db:5433/lab']);
  });

  it('does not mind connections of the set-up that do not end well', async () => {
    faults.destroy = new Error('no');
    await openDataSource(options);
    expect(steps).toEqual(['initialize', 'set up', 'destroy', 'initialize']);
  });

  it.each([
    ['setUp', ['initialize', 'set up', 'destroy']],
    ['initialize', ['initialize']],
  ] as const)('that fails to %s lets go of what was opened', async (step, expected) => {
    const error = new Error('no');
    faults[step] = error;
    await expect(openDataSource(options)).rejects.toBe(error);
    expect(steps).toEqual(expected);
  });
});
