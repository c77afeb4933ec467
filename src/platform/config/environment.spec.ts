import express from 'express';
import { z } from 'zod';
import { DEVELOPMENT_JWT_SECRET, EnvironmentError, parseEnvironment } from './environment';

const faultsOf = (variables: Record<string, string>): string[] => {
  try {
    parseEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.faults;
    throw error;
  }
  return [];
};

describe('settings', () => {
  it('have the contract’s defaults', () => {
    expect({ ...parseEnvironment({}) }).toEqual({
      isProduction: false,
      port: 3001,
      host: undefined,
      keepAliveSeconds: 65,
      database: { kind: 'directory', dataDir: './data' },
      databasePoolSize: 20,
      databaseLimits: { statementSeconds: 15, lockSeconds: 3 },
      stopDelaySeconds: 0,
      stopTimeoutSeconds: 25,
      jwtSecret: undefined,
      jwtSecretPrevious: undefined,
      registrationOpen: true,
      configWriteRole: 'engineer',
      configEncryptionKey: undefined,
      configEncryptionKeyPrevious: undefined,
      throttleLimit: 100,
      throttleTtlSeconds: 60,
      clientConcurrency: 8,
      trustProxy: false,
      corsOrigins: [],
      apiDocs: true,
      everydayNames: true,
      trashDays: 30,
      logLevel: 'info',
      accessLogShare: 0,
      metricsPort: undefined,
      metricsHost: undefined,
      tracesUrl: undefined,
      tracesShare: 1,
      aiMock: true,
      aiDefaultModel: undefined,
      aiEmbeddingModel: undefined,
      aiAuditRetentionDays: 0,
      aiCacheTtlSeconds: 3600,
      aiStoredAddressWithEnvKey: false,
      aiRefusePrivateAddresses: false,
      aiProviders: {},
    });
    expect(parseEnvironment({ NODE_ENV: 'test' }).logLevel).toBe('silent');
  });

  it('are read from variables, without the white space around them', () => {
    expect({
      ...parseEnvironment({
        PORT: ' 8080 ',
        HOST: '127.0.0.1',
        KEEP_ALIVE_TIMEOUT: '620',
        DATABASE_POOL_SIZE: '6',
        DATABASE_URL: 'postgres://u:p@db:5433/lab',
        DATA_DIR: '/ignored/with/a/server',
        REDIS_URL: 'redis://redis',
        DATABASE_STATEMENT_TIMEOUT: '60',
        DATABASE_LOCK_TIMEOUT: '9',
        STOP_DELAY: '7',
        STOP_TIMEOUT: '8',
        JWT_SECRET: 's',
        JWT_SECRET_PREVIOUS: 'before s',
        REGISTRATION: 'closed',
        CONFIG_WRITE_ROLE: 'admin',
        CONFIG_ENCRYPTION_KEY: 'k',
        CONFIG_ENCRYPTION_KEY_PREVIOUS: 'before k',
        THROTTLE_LIMIT: '5',
        THROTTLE_TTL: '7',
        CLIENT_CONCURRENCY: '3',
        TRUST_PROXY: '1',
        CORS_ORIGIN: 'https://a.example, https://b.example ,',
        API_DOCS: 'false',
        EVERYDAY_NAMES: 'off',
        LOG_LEVEL: 'debug',
        ACCESS_LOG: '0.01',
        METRICS_PORT: '9464',
        METRICS_HOST: '10.0.0.1',
        TRACES_URL: 'http://collector:4318',
        TRACES_SHARE: '0.1',
        AI_MOCK: 'false',
        AI_DEFAULT_MODEL: 'gpt-x',
        AI_EMBEDDING_MODEL: 'embed-x',
        AI_AUDIT_RETENTION_DAYS: '90',
        AI_CACHE_TTL: '4',
        AI_STORED_ADDRESS_WITH_ENV_KEY: 'true',
        AI_REFUSE_PRIVATE_ADDRESSES: 'true',
        ALPHA_API_KEY: 'a',
        BETA_API_KEY: 'b',
        ALPHA_BASE_URL: 'http://localhost:1/v1',
        BETA_BASE_URL: 'https://beta.example',
      }),
    }).toEqual({
      isProduction: false,
      port: 8080,
      host: '127.0.0.1',
      keepAliveSeconds: 620,
      databasePoolSize: 6,
      database: { kind: 'server', url: 'postgres://u:p@db:5433/lab' },
      redisUrl: 'redis://redis',
      databaseLimits: { statementSeconds: 60, lockSeconds: 9 },
      stopDelaySeconds: 7,
      stopTimeoutSeconds: 8,
      jwtSecret: 's',
      jwtSecretPrevious: 'before s',
      registrationOpen: false,
      configWriteRole: 'admin',
      configEncryptionKey: 'k',
      configEncryptionKeyPrevious: 'before k',
      throttleLimit: 5,
      throttleTtlSeconds: 7,
      clientConcurrency: 3,
      trustProxy: 1,
      corsOrigins: ['https://a.example', 'https://b.example'],
      apiDocs: false,
      everydayNames: false,
      trashDays: 30,
      logLevel: 'debug',
      accessLogShare: 0.01,
      metricsPort: 9464,
      metricsHost: '10.0.0.1',
      tracesUrl: 'http://collector:4318/v1/traces',
      tracesShare: 0.1,
      aiMock: false,
      aiDefaultModel: 'gpt-x',
      aiEmbeddingModel: 'embed-x',
      aiAuditRetentionDays: 90,
      aiCacheTtlSeconds: 4,
      aiStoredAddressWithEnvKey: true,
      aiRefusePrivateAddresses: true,
      aiProviders: {
        alpha: { key: 'a', baseUrl: 'http://localhost:1/v1' },
        beta: { key: 'b', baseUrl: 'https://beta.example' },
      },
    });
  });

  it('set to an empty or blank text count as absent', () => {
    const blank = { PORT: '', DATABASE_URL: ' ', AI_MOCK: '', LOG_LEVEL: '', JWT_SECRET: ' ' };
    expect(parseEnvironment(blank)).toEqual(parseEnvironment({}));
  });

  it('of another program may look like an address of a provider', () => {
    expect(parseEnvironment({ ASSETS_BASE_URL: '/static' }).aiProviders).toEqual({});
  });

  it('are not looked at beyond the known ones', () => {
    const unknown = { PATH: '/bin', HOME: '/', providers: 'x', ['__proto__']: 'x', constructor: 'x' };
    expect(parseEnvironment(unknown as Record<string, string>)).toEqual(parseEnvironment({}));
  });

  it.each([
    [{}, { kind: 'memory' }],
    [{ DATA_DIR: '/d' }, { kind: 'directory', dataDir: '/d' }],
    [{ DATABASE_URL: 'postgresql://h/d' }, { kind: 'server', url: 'postgresql://h/d' }],
  ])('under test with %j the database is %j', (variables, database) => {
    expect(parseEnvironment({ NODE_ENV: 'test', ...variables }).database).toEqual(database);
  });

  it.each([
    ['false', false],
    ['0', 0],
    ['2', 2],
    ['10.0.0.0/8, loopback', '10.0.0.0/8, loopback'],
    ['::1, 2001:db8::/32', '::1, 2001:db8::/32'],
    ['12', 12],
    ['10.0.0.0/1', '10.0.0.0/1'],
    ['10.0.0.1/32, ::1/128', '10.0.0.1/32, ::1/128'],
  ])('TRUST_PROXY=%s', (text, value) => {
    expect(parseEnvironment({ TRUST_PROXY: text }).trustProxy).toBe(value);
    expect(() => express().set('trust proxy', value)).not.toThrow();
  });

  it.each([
    'true',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/8, ::/00',
    'abc',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/8x',
    '10.0.0.0/x8',
    'abc/1',
    '10.0.0.0/',
    '10.0.0.1,',
    '::1/129',
    '1.2.3',
    'True',
    '-1',
  ])('TRUST_PROXY=%s is refused before Express sees it', (TRUST_PROXY) => {
    expect(faultsOf({ TRUST_PROXY })).toEqual([
      'TRUST_PROXY must be false, a number of hops, or addresses and subnets (not all of them)',
    ]);
  });

  it('all faults are named at once, and no value', () => {
    const wrong = {
      PORT: '65536',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      REGISTRATION: 'maybe',
      CONFIG_WRITE_ROLE: 'root',
      THROTTLE_LIMIT: '0',
      THROTTLE_TTL: '1.5',
      API_DOCS: 'yes',
      LOG_LEVEL: 'loud',
      AI_MOCK: '1',
      ALPHA_BASE_URL: 'ftp://hunter2.example',
      BETA_BASE_URL: 'hunter2',
    };
    const faults = faultsOf(wrong);
    expect(faults.map((fault) => fault.split(' ')[0]).toSorted()).toEqual(Object.keys(wrong).toSorted());
    expect(faults.join()).not.toContain('hunter2');
    expect(new EnvironmentError(['A is wrong', 'B too']).message).toBe(
      'Invalid settings:\n  - A is wrong\n  - B too',
    );
  });

  it('hold key and address of every AI provider under its name in lower case', () => {
    expect(
      parseEnvironment({
        ALPHA_API_KEY: ' a ',
        ALPHA_BASE_URL: 'http://localhost:1/v1',
        BETA_API_KEY: 'b',
        LOCAL_MODEL_2_BASE_URL: 'https://local.example',
        GAMMA_API_KEY: ' ',
        _API_KEY: 'no name',
        delta_API_KEY: 'no variable of ours',
      }).aiProviders,
    ).toEqual({
      alpha: { key: 'a', baseUrl: 'http://localhost:1/v1' },
      beta: { key: 'b' },
      local_model_2: { baseUrl: 'https://local.example' },
    });
  });

  it('take no AI provider’s address that is not http or https', () => {
    expect(faultsOf({ GAMMA_BASE_URL: 'file:///hunter2', GAMMA_API_KEY: 'hunter2', PORT: 'x' })).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'GAMMA_BASE_URL must be an address starting with http:// or https://',
    ]);
  });

  it.each([
    [{ DATABASE_URL: 'mysql://h/d' }, 'must be an address starting with postgres:// or postgresql://'],
    [{ DATABASE_STATEMENT_TIMEOUT: '0' }, 'must be a whole number from 1 to 3600'],
    [{ DATABASE_LOCK_TIMEOUT: '3601' }, 'must be a whole number from 1 to 3600'],
    [{ STOP_TIMEOUT: '0' }, 'must be a whole number from 1 to 3600'],
    [{ STOP_DELAY: '25' }, 'must be less than STOP_TIMEOUT, which contains it'],
    [
      { JWT_SECRET_PREVIOUS: DEVELOPMENT_JWT_SECRET },
      'is the development default, by which everybody could sign tokens',
    ],
    [{ METRICS_PORT: '3001' }, 'must be another port than PORT'],
    [{ METRICS_PORT: '9000', PORT: '9000' }, 'must be another port than PORT'],
    [{ METRICS_PORT: '65536' }, 'must be a whole number from 0 to 65535'],
    [{ ACCESS_LOG: '1.5' }, 'must be off, on or a share between 0 and 1, such as 0.01'],
    [{ AI_AUDIT_RETENTION_DAYS: '36501' }, 'must be a whole number from 0 to 36500'],
    [{ DATABASE_POOL_SIZE: '1001' }, 'must be a whole number from 1 to 1000'],
    [{ CLIENT_CONCURRENCY: '0' }, 'must be a whole number from 1 to 10000'],
    [{ REGISTRATION: 'OPEN' }, 'must be open or closed'],
    [{ CONFIG_WRITE_ROLE: 'x' }, 'must be engineer or admin'],
    [{ API_DOCS: 'yes' }, 'must be true or false'],
    [{ AI_MOCK: 'TRUE' }, 'must be true or false'],
    [{ AI_STORED_ADDRESS_WITH_ENV_KEY: '1' }, 'must be true or false'],
    [{ AI_REFUSE_PRIVATE_ADDRESSES: 'no' }, 'must be true or false'],
    [{ DATABASE_URL: 'postgres' }, 'must be an address starting with postgres:// or postgresql://'],
    [{ AI_CACHE_TTL: '31536001' }, 'must be a whole number from 0 to 31536000'],
    [{ LOG_LEVEL: 'loud' }, 'must be fatal, error, warn, info, debug, trace or silent'],
    [{ BETA_BASE_URL: 'beta.example' }, 'must be an address starting with http:// or https://'],
  ])('%j: %s', (variables, text) => {
    expect(faultsOf(variables)).toEqual([`${Object.keys(variables)[0]} ${text}`]);
  });

  it.each([
    'postgres://u:p@first,second/d',
    'postgresql://first:5432,second:5433/d?target_session_attrs=read-write',
    'postgres://u@/d?host=first,second',
    'postgres://u@/d?host=first%2Csecond',
  ])('DATABASE_URL=%s names several hosts and is refused', (DATABASE_URL) => {
    expect(faultsOf({ DATABASE_URL })).toEqual([
      'DATABASE_URL must name one host: put a proxy that knows the primary before several (docs/OPERATIONS.md)',
    ]);
  });

  it.each(['postgres://u:a,b@h/d', 'postgres:///d?host=/run/postgresql&options=-c%20a=b,c'])(
    'DATABASE_URL=%s names one host',
    (DATABASE_URL) => expect(faultsOf({ DATABASE_URL })).toEqual([]),
  );

  it('metrics have the address of the service unless they are given another, and any port twice', () => {
    expect(parseEnvironment({ HOST: '127.0.0.1', METRICS_PORT: '0', PORT: '0' })).toMatchObject({
      metricsHost: '127.0.0.1',
      metricsPort: 0,
    });
  });

  it.each([
    ['PORT', 'port', 0, 65_535],
    ['DATABASE_POOL_SIZE', 'databasePoolSize', 1, 1000],
    ['THROTTLE_LIMIT', 'throttleLimit', 1, 1_000_000_000],
    ['THROTTLE_TTL', 'throttleTtlSeconds', 1, 86_400],
    ['AI_CACHE_TTL', 'aiCacheTtlSeconds', 0, 31_536_000],
    ['STOP_TIMEOUT', 'stopTimeoutSeconds', 1, 3600],
    ['KEEP_ALIVE_TIMEOUT', 'keepAliveSeconds', 1, 3600],
    ['CLIENT_CONCURRENCY', 'clientConcurrency', 1, 10_000],
  ] as const)('%s is a whole number within its bounds, both included', (variable, setting, least, most) => {
    for (const value of [least, most]) {
      expect(parseEnvironment({ [variable]: String(value) })[setting]).toBe(value);
    }
    for (const value of [least - 1, most + 1])
      expect(faultsOf({ [variable]: String(value) })).toHaveLength(1);
  });

  it.each([
    ['DATABASE_STATEMENT_TIMEOUT', 'statementSeconds'],
    ['DATABASE_LOCK_TIMEOUT', 'lockSeconds'],
  ] as const)('%s is one second to one hour', (variable, limit) => {
    for (const seconds of [1, 3600]) {
      expect(parseEnvironment({ [variable]: String(seconds) }).databaseLimits[limit]).toBe(seconds);
    }
    for (const seconds of ['0', '3601']) expect(faultsOf({ [variable]: seconds })).toHaveLength(1);
  });

  it.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])('LOG_LEVEL=%s', (LOG_LEVEL) => {
    expect(parseEnvironment({ LOG_LEVEL }).logLevel).toBe(LOG_LEVEL);
  });

  it.each([
    ['NODE_ENV=test', { NODE_ENV: 'test', LOG_LEVEL: 'warn', DATA_DIR: '/d' }],
    ['the default of a role', { CONFIG_WRITE_ROLE: 'engineer', REGISTRATION: 'open', API_DOCS: 'true' }],
  ])('what is said goes before %s', (_, variables: Record<string, string>) => {
    expect(parseEnvironment(variables)).toMatchObject({
      logLevel: variables.LOG_LEVEL ?? 'info',
      configWriteRole: 'engineer',
      registrationOpen: true,
      apiDocs: true,
    });
  });

  it.each(['-1', '1e3', '0x10', 'abc', '99999999999'])('PORT=%s is no port', (PORT) => {
    expect(faultsOf({ PORT })).toEqual(['PORT must be a whole number from 0 to 65535']);
  });

  describe('in production', () => {
    const production = { NODE_ENV: 'production', JWT_SECRET: 'a secret of its own, 32 bytes...' };

    it('administrators write the configuration and the API page is off, unless told otherwise', () => {
      expect(parseEnvironment(production)).toMatchObject({
        isProduction: true,
        configWriteRole: 'admin',
        apiDocs: false,
      });
      expect(
        parseEnvironment({ ...production, CONFIG_WRITE_ROLE: 'engineer', API_DOCS: 'true' }),
      ).toMatchObject({ configWriteRole: 'engineer', apiDocs: true });
    });

    it('the development secret, or none with a server, is refused', () => {
      expect(faultsOf({ ...production, JWT_SECRET: DEVELOPMENT_JWT_SECRET })).toEqual([
        'JWT_SECRET is the development default: set a secret of your own in production',
      ]);
      expect(DEVELOPMENT_JWT_SECRET).toBe('formula-development-secret');
      expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgres://h/d', PORT: 'x' })).toEqual([
        'PORT must be a whole number from 0 to 65535',
        'JWT_SECRET must be set in production',
      ]);
      const all = {
        ...production,
        JWT_SECRET: DEVELOPMENT_JWT_SECRET,
        GAMMA_API_KEY: 'x',
        GAMMA_BASE_URL: 'x',
        API_DOCS: 'x',
      };
      expect(faultsOf(all)).toEqual([
        'API_DOCS must be true or false',
        'GAMMA_BASE_URL must be an address starting with http:// or https://',
        'JWT_SECRET is the development default: set a secret of your own in production',
      ]);
    });

    it.each(['JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'CONFIG_ENCRYPTION_KEY', 'CONFIG_ENCRYPTION_KEY_PREVIOUS'])(
      '%s has at least 32 bytes',
      (variable) => {
        const fault = [`${variable} must have at least 32 bytes in production`];
        expect(faultsOf({ ...production, [variable]: 'x'.repeat(31) })).toEqual(fault);
        expect(faultsOf({ ...production, [variable]: '密'.repeat(10) })).toEqual(fault);
        expect(faultsOf({ ...production, [variable]: 'x'.repeat(32) })).toEqual([]);
        expect(faultsOf({ [variable]: 'x' })).toEqual([]);
      },
    );

    it('the first administrator has a password of at least 12 characters', () => {
      const administrator = { ADMIN_USERNAME: 'root', ADMIN_PASSWORD: 'x'.repeat(11) };
      expect(faultsOf({ ...production, ...administrator })).toEqual([
        'ADMIN_PASSWORD must have at least 12 characters in production',
      ]);
      expect(faultsOf({ ...production, ...administrator, ADMIN_PASSWORD: 'x'.repeat(12) })).toEqual([]);
      expect(faultsOf(administrator)).toEqual([]);
    });

    it('on the embedded database a secret of the directory’s own will do', () => {
      expect(faultsOf({ NODE_ENV: 'production' })).toEqual([]);
    });
  });

  it('tells a fault of several settings of an extension as it is worded', () => {
    const schema = z.object({}).refine(() => false, 'FIRST or SECOND must be set');
    expect(() => parseEnvironment({}, [schema])).toThrow(/- FIRST or SECOND must be set/);
  });
});
