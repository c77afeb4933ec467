import { ManualClock } from '../../test/support/clock';
import type { RegisteredRoles } from '../common/access/registered-roles';
import type { SecurityLog } from '../common/security-log';
import { parseEnvironment } from '../environment/environment';
import type { UsersRepository } from '../users/users.repository';
import type { AccessTokens } from './access-tokens';
import { AuthService } from './auth.service';
import { FailedLogins } from './failed-logins';
import type { PasswordHasher } from './password-hasher';
import { unheard } from '../../test/support/events';

describe('registration', () => {
  it('makes its address one that failed logins from elsewhere do not slow down', async () => {
    const delays: number[] = [];
    const pause = (ms: number) => Promise.resolve(delays.push(ms));
    const user = { id: 'u', username: 'lin', role: 'engineer', tokenVersion: 0, disabledAt: null };
    const auth = new AuthService(
      {
        create: () => Promise.resolve(user),
        findCredentials: () => Promise.resolve(user),
      } as unknown as UsersRepository,
      {
        hash: () => Promise.resolve('hash'),
        matches: (password: string) => Promise.resolve(password === 'secret'),
      } as unknown as PasswordHasher,
      { issue: () => 'token' } as unknown as AccessTokens,
      parseEnvironment({ NODE_ENV: 'test' }),
      new FailedLogins(new ManualClock(), pause),
      { record: () => undefined } as unknown as SecurityLog,
      { check: () => undefined } as unknown as RegisteredRoles,
      unheard,
    );
    const login = (client: string, password: string) => auth.login({ username: 'lin', password }, { client });
    await auth.register({ username: 'lin', password: 'secret' }, { client: 'own' });
    for (let n = 0; n < 5; n++) await expect(login('guesser', `guess ${n}`)).rejects.toThrow();
    await login('own', 'secret');
    expect(delays).toEqual([]);
    await login('another', 'secret');
    expect(delays).toEqual([100]);
  });
});

describe('a login', () => {
  it('that could not be tried is not told as one of too many', async () => {
    const record = jest.fn();
    const failure = new Error('the database is away');
    const auth = new AuthService(
      { findCredentials: () => Promise.reject(failure) } as unknown as UsersRepository,
      {} as unknown as PasswordHasher,
      {} as unknown as AccessTokens,
      parseEnvironment({ NODE_ENV: 'test' }),
      new FailedLogins(new ManualClock(), () => Promise.resolve()),
      { record } as unknown as SecurityLog,
      {} as unknown as RegisteredRoles,
      unheard,
    );
    await expect(auth.login({ username: 'lin', password: 'x' }, { client: 'a' })).rejects.toBe(failure);
    expect(record.mock.calls).toEqual([]);
  });
});
