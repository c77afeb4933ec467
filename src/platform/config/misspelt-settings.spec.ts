import { z } from 'zod';
import { Environment, EnvironmentError, parseEnvironment } from './environment';
import { misspeltSettings } from './misspelt-settings';
import { SETTING_NAMES } from './settings';

const known = new Set(SETTING_NAMES);
const told = (name: string) => misspeltSettings([name], known);
const SECRET = 'x'.repeat(32);

describe('a variable that is almost called as a setting', () => {
  it.each([
    ['THROTLE_LIMIT', 'THROTTLE_LIMIT'],
    ['THROTTLE_LIMITS', 'THROTTLE_LIMIT'],
    ['TROTLE_LIMIT', 'THROTTLE_LIMIT'],
    ['throttle-limit', 'THROTTLE_LIMIT'],
    ['Port', 'PORT'],
    ['PROT', 'PORT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['JTW_SECRTE', 'JWT_SECRET'],
    ['ALHPA_API_KEY', 'ALPHA_API_KEY'],
    ['BETA_BASEURL', 'BETA_BASE_URL'],
    ['NODE_EVN', 'NODE_ENV'],
  ])('%s is told with %s', (name, meant) => {
    expect(told(name)).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  it.each([
    ...[
      'HOME',
      'PATH',
      'HOSTNAME',
      'PWD',
      'USER',
      'LANG',
      'TZ',
      'NODE_OPTIONS',
      'NODE_PATH',
      'PGPORT',
      'PGHOST',
    ],
    ...['HTTP_PROXY', 'OPENAI_API_KEY', 'META_API_KEY', 'REDIS_PORT', 'TRHOTTLE_LIMTI_X', 'FOO', 'providers'],
  ])('%s is another’s', (name) => expect(told(name)).toEqual([]));

  it('is none where it is a setting', () => {
    expect(misspeltSettings(SETTING_NAMES, known, SETTING_NAMES)).toEqual([]);
  });
});

describe('a name in .env that is no setting', () => {
  it('is told in any case, once', () => {
    expect(misspeltSettings(['FOO', 'THROTLE_LIMIT'], known, ['FOO', 'THROTLE_LIMIT', 'PORT'])).toEqual([
      'FOO in .env is not a setting',
      'THROTLE_LIMIT is not a setting; did you mean THROTTLE_LIMIT?',
    ]);
    expect(misspeltSettings([], known, ['EMPTY'])).toEqual(['EMPTY in .env is not a setting']);
  });

  it('may be one that Node or a library reads', () => {
    expect(misspeltSettings([], known, ['NODE_OPTIONS', 'PGSSLROOTCERT', 'https_proxy', 'TZ'])).toEqual([]);
  });
});

describe('settings that are known', () => {
  const schema = z.object({ SHELF_LIFE: z.coerce.number(), SHELF_NAME: z.string().optional() });
  const piped = z.object({ RACK: z.string() }).transform(({ RACK }) => RACK);
  const variables = { SHELF_LIFE: '3', SHELF_NAMES: 'left', RACK: 'a', SHELF: 'b' };

  it('are those of extensions, too', () => {
    expect(parseEnvironment(variables, [schema, piped]).misspelt(['RACK', 'SHELF'])).toEqual([
      'SHELF_NAMES is not a setting; did you mean SHELF_NAME?',
      'SHELF in .env is not a setting',
    ]);
  });

  it('are those of AI providers, as soon as they are known', () => {
    const environment: Environment = parseEnvironment({ BETTA_API_KEY: SECRET, GAMMA_API_KEY: 'x' });
    expect(environment.misspelt(['GAMMA_API_KEY'])).toHaveLength(2);
    environment.requireProviderAddress('betta');
    environment.requireProviderAddress('gamma');
    expect(environment.misspelt(['GAMMA_API_KEY'])).toEqual([]);
  });

  it('may be what is missing where something is: then it is told with that, never a value', () => {
    const given = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db', JWT_SECRT: SECRET };
    const parse = () => parseEnvironment({ ...given, BETTA_API_KEY: 'x' });
    expect(parse).toThrow(EnvironmentError);
    expect(parse).toThrow(
      expect.objectContaining({
        faults: [
          'JWT_SECRET must be set in production',
          'JWT_SECRT is not a setting; did you mean JWT_SECRET?',
        ],
      }),
    );
  });
});
