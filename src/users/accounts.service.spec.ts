import { unheard } from '../../test/support/events';
import type { Role } from '../platform/common/current-user';
import { ConflictError } from '../platform/common/errors/service-error';
import type { EventPublisher } from '../platform/events/event-publisher';
import type { RegisteredRoles } from '../platform/common/registered-roles';
import type { SecurityLog } from '../platform/common/security-log';
import { AccountsService } from './accounts.service';
import { NO_PASSWORD, type PasswordHasher } from './password-hasher';
import type { UsersRepository } from './users.repository';

/** One account, found by any spelling of its name as the database finds it; the others are nobody's. */
function setUp({ role = 'engineer', isChanged = true } = {}) {
  const stored = {
    id: 'id-1',
    username: 'ｗang',
    role,
    tokenVersion: 3,
    passwordHash: 'old',
    disabledAt: null,
  };
  const users = {
    findCredentials: (name: string) =>
      Promise.resolve(name.normalize('NFKC') === 'wang' ? stored : undefined),
    // By exactly the name, by the id.
    setRole: jest.fn((name: string, _: Role) => Promise.resolve(isChanged && name === stored.username)),
    setPassword: jest.fn((_id: string, _hash: string) => Promise.resolve(true)),
    disable: jest.fn((id: string) => Promise.resolve(isChanged && id === stored.id)),
    enable: jest.fn((id: string) => Promise.resolve(isChanged && id === stored.id)),
  };
  const hasher = { hash: (password: string) => Promise.resolve(`hash of ${password}`) };
  const record = jest.fn();
  const publish = jest.fn(() => Promise.resolve());
  const accounts = new AccountsService(
    users as unknown as UsersRepository,
    hasher as unknown as PasswordHasher,
    { record } as unknown as SecurityLog,
    { check: () => undefined } as unknown as RegisteredRoles,
    { ...unheard, publish } as unknown as EventPublisher,
  );
  return { accounts, users, record, publish };
}

describe('AccountsService', () => {
  it.each(['ｗang', 'wang', 'ｗａｎｇ'])(
    'finds the account under %s, and names it as it is stored',
    async (name) => {
      const { accounts, users } = setUp();
      const change = { username: 'ｗang', changed: true };
      expect(await accounts.setRole(name, 'admin')).toEqual({ ...change, from: 'engineer' });
      expect(await accounts.setPassword(name, 'new')).toEqual(change);
      expect(await accounts.disable(name)).toEqual(change);
      expect(await accounts.enable(name)).toEqual(change);
      expect(users.setRole.mock.calls).toEqual([['ｗang', 'admin']]);
      expect(users.setPassword.mock.calls).toEqual([['id-1', 'hash of new']]);
    },
  );

  it('records and publishes what has changed', async () => {
    const { accounts, record, publish } = setUp();
    await accounts.setRole('wang', 'admin');
    await accounts.setPassword('wang', 'new');
    await accounts.disable('wang');
    await accounts.enable('wang');
    expect(record.mock.calls).toEqual([
      ['role.changed', { account: 'id-1', from: 'engineer', to: 'admin' }],
      ...['password', 'disabled', 'enabled'].map((change) => ['user.changed', { account: 'id-1', change }]),
    ]);
    expect(publish.mock.calls).toEqual(
      ['role', 'password', 'disabled', 'enabled'].map((change) => [
        'user.updated',
        'id-1',
        { username: 'ｗang', change },
      ]),
    );
  });

  it('says that nothing has changed, and records and publishes nothing', async () => {
    const { accounts, record, publish } = setUp({ isChanged: false });
    const nothing = { username: 'ｗang', changed: false };
    expect(await accounts.disable('wang')).toEqual(nothing);
    expect(await accounts.enable('wang')).toEqual(nothing);
    const admin = setUp({ role: 'admin' });
    expect(await admin.accounts.setRole('wang', 'admin')).toEqual({ ...nothing, from: 'admin' });
    expect([...record.mock.calls, ...admin.record.mock.calls]).toEqual([]);
    expect([...publish.mock.calls, ...admin.publish.mock.calls]).toEqual([]);
  });

  it('knows nobody of another name, or who has gone meanwhile', async () => {
    const { accounts, users, record } = setUp();
    for (const work of [
      accounts.setRole('Wang', 'admin'),
      accounts.setPassword('Wang', 'new'),
      accounts.disable('Wang'),
      accounts.enable('Wang'),
      setUp({ isChanged: false }).accounts.setRole('wang', 'admin'),
    ])
      expect(await work).toBeUndefined();
    expect(users.setPassword).not.toHaveBeenCalled();
    expect(record).not.toHaveBeenCalled();
  });
});

describe('An account that another request makes first', () => {
  const setUpRace = (passwordHash: string) => {
    const theirs = {
      id: 'id-2',
      username: 'lin',
      role: 'viewer',
      tokenVersion: 0,
      passwordHash,
      disabledAt: null,
    };
    const users = {
      findCredentials: jest.fn().mockResolvedValueOnce(undefined).mockResolvedValueOnce(theirs),
      createUnlessTaken: jest.fn().mockResolvedValue(undefined),
    };
    const record = jest.fn();
    const accounts = new AccountsService(
      users as unknown as UsersRepository,
      {} as unknown as PasswordHasher,
      { record } as unknown as SecurityLog,
      { check: () => undefined } as unknown as RegisteredRoles,
      unheard,
    );
    return { accounts, record };
  };

  it('is the one that is given, where it has no password', async () => {
    const { accounts, record } = setUpRace(NO_PASSWORD);
    const given = await accounts.provision({ username: 'lin' });
    expect(given).toEqual({ id: 'id-2', username: 'lin', role: 'viewer' });
    expect(record).not.toHaveBeenCalled();
  });

  it('is not, where its name only has the same form', async () => {
    const { accounts } = setUpRace(NO_PASSWORD);
    await expect(accounts.provision({ username: 'ｌｉｎ' })).rejects.toBeInstanceOf(ConflictError);
    await expect(
      setUpRace(NO_PASSWORD).accounts.provision({ username: 'ｌｉｎ', linkExisting: true }),
    ).rejects.toBeInstanceOf(ConflictError);
  });

  it('is not, where it was registered with one', async () => {
    const { accounts } = setUpRace('salt:hash');
    await expect(accounts.provision({ username: 'lin' })).rejects.toBeInstanceOf(ConflictError);
  });
});
