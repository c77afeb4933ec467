import { Logger } from '@nestjs/common';
import { type AccessPolicy } from '../access/access-policy';
import { ForbiddenError } from '../common/errors/service-error';
import { type SecurityLog } from '../common/security-log';
import { parseEnvironment } from '../config/environment';
import { SigningSecret } from '../config/signing-secret';
import { ConfigurationChanges, RuntimeConfiguration } from './runtime-configuration';
import { type Replacement, type RuntimeSettingsRepository } from './runtime-settings.repository';
import { SecretBox } from './secret-box';

const USER = { id: 'u', username: 'lin', role: 'engineer' };

describe('RuntimeConfiguration', () => {
  let stored: Map<string, string>;
  let allowed: boolean | Promise<boolean>;
  let changes: ConfigurationChanges;
  let away: boolean;
  let record: jest.Mock;
  /** What a read waits for. */
  let reading: Promise<void> | undefined;
  /** What writing fails with. */
  let failure: Error | undefined;

  beforeEach(() => {
    stored = new Map();
    allowed = true;
    away = false;
    reading = undefined;
    failure = undefined;
    changes = new ConfigurationChanges();
    record = jest.fn();
  });
  afterEach(() => jest.restoreAllMocks());

  function configuration(
    variables: Record<string, string> = {},
    secret = 'secret',
    previous?: string,
  ): RuntimeConfiguration {
    const all = async () => {
      await reading;
      if (away) throw new Error('away');
      return new Map(stored);
    };
    const repository = {
      all,
      write: async (values: ReadonlyMap<string, string | undefined>) => {
        await new Promise(setImmediate);
        if (failure) throw failure;
        for (const [name, value] of values) {
          if (value === undefined) stored.delete(name);
          else stored.set(name, value);
        }
      },
      replace: (replacements: readonly Replacement[]) => {
        for (const { name, before, after } of replacements) {
          if (stored.get(name) === before) stored.set(name, after);
        }
        return Promise.resolve();
      },
    };
    return new RuntimeConfiguration(
      parseEnvironment({ NODE_ENV: 'test', ...variables }),
      repository as unknown as RuntimeSettingsRepository,
      changes,
      { canConfigure: () => allowed } as unknown as AccessPolicy,
      new SigningSecret(secret, false, previous),
      { record } as unknown as SecurityLog,
    );
  }

  const read = () => (away ? Promise.reject(new Error('away')) : Promise.resolve(new Map(stored)));

  it('what another instance stores is in force after a refresh, and announced once', async () => {
    const one = configuration();
    const heard = jest.fn();
    changes.subscribe(heard);
    await one.current();
    stored.set('aiMock', 'false');
    expect((await one.current()).aiMock).toBe(true);
    await one.refresh(read);
    expect((await one.current()).aiMock).toBe(false);
    await one.refresh(read);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('a refresh that began before a change here takes nothing back', async () => {
    const one = configuration();
    await one.current();
    let proceed!: (rows: ReadonlyMap<string, string>) => void;
    const refreshed = one.refresh(() => new Promise((resolve) => (proceed = resolve)));
    await one.update({ aiMock: 'false' }, USER);
    proceed(new Map());
    await refreshed;
    expect((await one.current()).aiMock).toBe(false);
  });

  it('a first read that hangs is replaced by a refresh, which announces nothing', async () => {
    const one = configuration();
    const heard = jest.fn();
    changes.subscribe(heard);
    reading = new Promise(() => undefined);
    void one.current();
    reading = undefined;
    stored.set('aiMock', 'false');
    await one.refresh(read);
    expect((await one.current()).aiMock).toBe(false);
    expect(heard).not.toHaveBeenCalled();
  });

  it('what is in force stays while the database is away', async () => {
    const one = configuration();
    await one.current();
    away = true;
    await expect(one.refresh(read)).rejects.toThrow('away');
    await expect(one.current()).resolves.toBeDefined();
  });

  it('another revision for each stored change, the same for all who read the same', async () => {
    const one = configuration();
    const revisions = [(await one.current()).revision];
    for (const change of [{ aiMock: 'false' }, { alphaKey: 'a' }, { alphaKey: 'a' }, { alphaBaseUrl: 'b' }]) {
      await one.update(change, USER);
      revisions.push((await one.current()).revision);
      stored = new Map([...stored].reverse());
      expect((await configuration().current()).revision).toBe(revisions.at(-1));
    }
    expect(new Set(revisions).size).toBe(5);
    await one.update({}, USER);
    expect((await one.current()).revision).toBe(revisions.at(-1));
  });

  it('stored over environment over default: the mode', async () => {
    expect((await configuration().current()).aiMock).toBe(true);
    const set = configuration({ AI_MOCK: 'false' });
    expect((await set.current()).aiMock).toBe(false);
    await set.update({ aiMock: 'true' }, USER);
    expect((await set.current()).aiMock).toBe(true);
    await set.update({ aiMock: null }, USER);
    expect((await set.current()).aiMock).toBe(false);
    const unset = configuration();
    await unset.update({ aiMock: 'false' }, USER);
    expect((await unset.current()).aiMock).toBe(false);
  });

  it.each(['alpha', 'gamma'])('stored over environment over nothing: key and address of %s', async (name) => {
    const upper = name.toUpperCase();
    expect((await configuration().current()).provider(name)).toEqual({});
    const set = configuration({
      [`${upper}_API_KEY`]: 'env-key',
      [`${upper}_BASE_URL`]: 'http://env.example',
    });
    const inForce = async () => (await set.current()).provider(name);
    expect(await inForce()).toEqual({ key: 'env-key', baseUrl: 'http://env.example' });
    await set.update({ [`${name}Key`]: 'own-key' }, USER);
    expect(await inForce()).toEqual({ key: 'own-key', baseUrl: 'http://env.example' });
    await set.update({ [`${name}BaseUrl`]: 'http://own.example' }, USER);
    expect(await inForce()).toEqual({ key: 'own-key', baseUrl: 'http://own.example' });
    await set.update({ [`${name}Key`]: undefined, [`${name}BaseUrl`]: '' }, USER);
    expect(await inForce()).toEqual({ key: 'own-key', baseUrl: 'http://env.example' });
    expect((await set.current()).provider('beta')).toEqual({});
  });

  describe('the key of the environment', () => {
    const variables = { ALPHA_API_KEY: 'env-key', ALPHA_BASE_URL: 'http://env.example' };
    const own = { alphaBaseUrl: 'http://own.example' };
    const inForce = async (set: RuntimeConfiguration) => (await set.current()).provider('alpha');

    it('goes to no address that a user stored', async () => {
      const set = configuration(variables);
      await set.update(own, USER);
      expect(await inForce(set)).toEqual({ baseUrl: 'http://own.example', isKeyWithheld: true });
      await set.update({ alphaKey: 'own-key' }, USER);
      expect(await inForce(set)).toEqual({ key: 'own-key', baseUrl: 'http://own.example' });
    });

    it('is back when the address is removed', async () => {
      const set = configuration(variables);
      await set.update(own, USER);
      await set.update({ alphaBaseUrl: '' }, USER);
      expect(await inForce(set)).toEqual({ key: 'env-key', baseUrl: 'http://env.example' });
    });

    it('goes there where the operator says so', async () => {
      const set = configuration({ ...variables, AI_STORED_ADDRESS_WITH_ENV_KEY: 'true' });
      await set.update(own, USER);
      expect(await inForce(set)).toEqual({ key: 'env-key', baseUrl: 'http://own.example' });
    });

    it('is not withheld where there is none', async () => {
      const set = configuration();
      await set.update(own, USER);
      expect(await inForce(set)).toEqual({ baseUrl: 'http://own.example' });
    });
  });

  describe('private addresses', () => {
    const change = { alphaBaseUrl: 'http://169.254.169.254/v1', alphaKey: 'k' };

    it('are refused where the operator says so, and nothing is stored', async () => {
      const set = configuration({ AI_REFUSE_PRIVATE_ADDRESSES: 'true', ALPHA_BASE_URL: 'http://10.0.0.1' });
      await expect(set.update(change, USER)).rejects.toThrow('alphaBaseUrl: 不能指向本机或内部网络');
      expect(stored.size).toBe(0);
      await set.update({ alphaBaseUrl: '', alphaKey: 'k' }, USER);
      expect((await set.current()).provider('alpha')).toEqual({ key: 'k', baseUrl: 'http://10.0.0.1' });
      await set.update({ alphaBaseUrl: 'http://own.example' }, USER);
      expect((await set.current()).provider('alpha')).toMatchObject({ mustBePublic: true });
    });

    it('are taken otherwise', async () => {
      const set = configuration();
      await set.update(change, USER);
      expect((await set.current()).provider('alpha')).toEqual({
        key: 'k',
        baseUrl: 'http://169.254.169.254/v1',
      });
    });
  });

  it('keys and addresses are sealed under their names, the mode is not', async () => {
    await configuration().update({ alphaKey: 'k', alphaBaseUrl: 'http://a', aiMock: 'true' }, USER);
    const box = new SecretBox('secret');
    expect(box.open('alphaKey', stored.get('alphaKey') ?? '')).toBe('k');
    expect(box.open('alphaBaseUrl', stored.get('alphaBaseUrl') ?? '')).toBe('http://a');
    expect(stored.get('aiMock')).toBe('true');
  });

  it('a secret of its own comes before the one that signs tokens', async () => {
    await configuration({ CONFIG_ENCRYPTION_KEY: 'own' }).update({ alphaKey: 'k' }, USER);
    expect(new SecretBox('own').open('alphaKey', stored.get('alphaKey') ?? '')).toBe('k');
  });

  it('what cannot be decrypted counts as absent, and the log names it', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await configuration().update({ alphaKey: 'k' }, USER);
    const other = configuration({ ALPHA_API_KEY: 'env' }, 'another secret');
    await other.onApplicationBootstrap();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('alphaKey'));
    expect((await other.current()).provider('alpha').key).toBe('env');
  });

  describe('after a rotation', () => {
    let warn: jest.SpyInstance;
    const rotations: [string, Record<string, string>, string?, string?][] = [
      ['the signing secret', {}, 'new', 'secret'],
      ['the key', { CONFIG_ENCRYPTION_KEY: 'new', CONFIG_ENCRYPTION_KEY_PREVIOUS: 'secret' }],
    ];
    beforeEach(async () => {
      warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      await configuration().update({ alphaKey: 'a', betaKey: 'b', aiMock: 'false' }, USER);
    });

    it.each(rotations)(
      'of %s what was stored counts as before, and is left as it is',
      async (_, ...given) => {
        const before = new Map(stored);
        const rotated = configuration(...given);
        await rotated.onApplicationBootstrap();
        expect((await rotated.current()).provider('alpha').key).toBe('a');
        expect(warn).not.toHaveBeenCalled();
        expect(stored).toEqual(before);
      },
    );

    it.each(rotations)('of %s the next write seals everything anew', async (_, ...given) => {
      await configuration(...given).update({ betaKey: 'c' }, USER);
      const box = new SecretBox('new');
      expect(['alphaKey', 'betaKey'].map((name) => box.open(name, stored.get(name)!))).toEqual(['a', 'c']);
      expect(stored.get('aiMock')).toBe('false');
    });

    it('everything can be sealed anew without a write', async () => {
      stored.set('gammaKey', 'v1:AAAA');
      const rotated = configuration({}, 'new', 'secret');
      const resealed = { anew: ['alphaKey', 'betaKey'], before: [], closed: ['gammaKey'] };
      expect(await rotated.reseal()).toEqual(resealed);
      const again = { anew: [], before: ['alphaKey', 'betaKey'], closed: ['gammaKey'] };
      expect(await configuration({}, 'new').reseal()).toEqual(again);
    });
  });

  it('announces a change when it is in force, and waits for all who act on it', async () => {
    const seen: unknown[] = [];
    const set = configuration();
    await set.current();
    changes.subscribe(async () => {
      seen.push((await set.current()).provider('alpha').key);
      await new Promise(setImmediate);
      seen.push('acted on');
    });
    await set.update({ alphaKey: 'k' }, USER);
    expect(seen).toEqual(['k', 'acted on']);
  });

  it('a change that cannot be stored is neither recorded nor announced nor in force', async () => {
    const set = configuration();
    const announced = jest.spyOn(changes, 'announce');
    await set.current();
    failure = new Error('disk full');
    await expect(set.update({ aiMock: 'false' }, USER)).rejects.toThrow('disk full');
    expect([record.mock.calls, announced.mock.calls]).toEqual([[], []]);
    expect((await set.current()).aiMock).toBe(true);
  });

  it('what cannot be decrypted is said once, at the start, and not of the mode', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    stored.set('betaBaseUrl', 'v1:AAAA').set('aiMock', 'false');
    const set = configuration();
    expect(warn).not.toHaveBeenCalled();
    await set.onApplicationBootstrap();
    expect((await set.current()).provider('beta')).toEqual({});
    expect((await set.current()).aiMock).toBe(false);
    expect(warn.mock.calls).toEqual([
      [
        'The stored betaBaseUrl cannot be decrypted with the present secret and counts as absent: enter it again',
      ],
    ]);
  });

  it('only addresses are looked at for where they lead', async () => {
    const set = configuration({ AI_REFUSE_PRIVATE_ADDRESSES: 'true' });
    await set.update({ alphaKey: 'http://127.0.0.1' }, USER);
    expect((await set.current()).provider('alpha')).toEqual({ key: 'http://127.0.0.1' });
  });

  it('what it gave out is renewed, what is from elsewhere is not', async () => {
    const set = configuration({ ALPHA_BASE_URL: 'http://env.example' });
    await set.update({ alphaKey: 'before' }, USER);
    const given = (await set.current()).provider('alpha');
    await set.update({ alphaKey: 'now' }, USER);
    expect(await set.inForce('alpha', given)).toEqual({ key: 'now', baseUrl: 'http://env.example' });
    const elsewhere = { ...given };
    expect(await set.inForce('alpha', elsewhere)).toBe(elsewhere);
  });

  it('what it gave out is in force no more when mock mode is switched on, until it is off', async () => {
    const set = configuration({ AI_MOCK: 'false', ALPHA_API_KEY: 'k' });
    const given = (await set.current()).provider('alpha');
    await set.update({ aiMock: 'true' }, USER);
    expect(await set.inForce('alpha', given)).toBeUndefined();
    // Given out in mock mode, as to a connection test: whoever asked for it knew.
    const inMockMode = (await set.current()).provider('alpha');
    expect(await set.inForce('alpha', inMockMode)).toEqual({ key: 'k' });
    await set.update({ aiMock: 'false' }, USER);
    expect(await set.inForce('alpha', given)).toEqual({ key: 'k' });
  });

  it('is read once, until it changes', async () => {
    const set = configuration();
    await set.update({ alphaKey: 'k' }, USER);
    expect(await set.current()).toBe(await set.current());
  });

  it('asks again after a database that was away', async () => {
    const set = configuration();
    away = true;
    await set.onApplicationBootstrap();
    away = false;
    expect((await set.current()).aiMock).toBe(true);
  });

  it.each([false, Promise.resolve(false)])('changes nothing for one who may not: %p', async (decision) => {
    allowed = decision;
    const announced = jest.spyOn(changes, 'announce');
    await expect(configuration().update({ alphaKey: 'k' }, USER)).rejects.toThrow(ForbiddenError);
    expect(stored.size).toBe(0);
    expect(announced).not.toHaveBeenCalled();
    expect(record).not.toHaveBeenCalled();
  });

  it('records which fields a change has, removed ones too, and nothing for one without any', async () => {
    const set = configuration();
    await set.update({ alphaKey: 'k', betaKey: '', aiMock: undefined }, USER);
    await set.update({}, USER);
    expect(record.mock.calls).toEqual([['configuration.changed', { fields: ['alphaKey', 'betaKey'] }]]);
  });
});

describe('ConfigurationChanges', () => {
  it('an announcement is over when everybody has acted on it', async () => {
    const changes = new ConfigurationChanges();
    const acted: string[] = [];
    let act = (): void => undefined;
    changes.subscribe(() => void acted.push('at once'));
    changes.subscribe(async () => {
      await new Promise<void>((resolve) => (act = resolve));
      acted.push('later');
    });
    let over = false;
    const announced = changes.announce().then(() => (over = true));
    await new Promise(setImmediate);
    expect({ acted, over }).toEqual({ acted: ['at once'], over: false });
    act();
    await announced;
    expect(acted).toEqual(['at once', 'later']);
  });

  it('who has ended the subscription hears no more, and the others still do', async () => {
    const changes = new ConfigurationChanges();
    let heard = 0;
    let heardByOther = 0;
    changes.subscribe(() => void (heardByOther += 1));
    const end = changes.subscribe(() => void (heard += 1));
    await changes.announce();
    end();
    await changes.announce();
    expect({ heard, heardByOther }).toEqual({ heard: 1, heardByOther: 2 });
  });
});
