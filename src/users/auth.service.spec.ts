import { unheard } from '../../test/support/events';
import { inRequest } from '../../test/support/requests';
import { Clock } from '../platform/common/clock';
import { InvalidInputError } from '../platform/common/errors/service-error';
import type { RegisteredRoles } from '../platform/common/registered-roles';
import type { SecurityLog } from '../platform/common/security-log';
import { ConcurrencyLimiter } from '../platform/request-limits/concurrency-limiter';
import { parseEnvironment } from '../platform/config/environment';
import { Redis } from '../platform/redis/redis.module';
import type { AccessTokens } from '../platform/authentication/access-tokens';
import { AuthService } from './auth.service';
import { FailedLogins } from './failed-logins';
import type { PasswordHasher } from './password-hasher';
import type { UsersRepository } from './users.repository';

const environment = parseEnvironment({ NODE_ENV: 'test' });
const failedLogins = () =>
  new FailedLogins(new ConcurrencyLimiter(environment), new Clock(), new Redis(undefined));

describe('registration', () => {
  it('is by a client that has signed in to the account', async () => {
    const user = { id: 'u', username: 'lin', role: 'engineer', tokenVersion: 0, disabledAt: null };
    const logins = failedLogins();
    const signedIn = jest.spyOn(logins, 'signedIn');
    const auth = new AuthService(
      { create: () => Promise.resolve(user) } as unknown as UsersRepository,
      { hash: () => Promise.resolve('hash') } as unknown as PasswordHasher,
      { issue: () => 'token' } as unknown as AccessTokens,
      environment,
      logins,
      { record: () => undefined } as unknown as SecurityLog,
      { check: () => undefined } as unknown as RegisteredRoles,
      unheard,
    );
    await auth.register({ username: 'lin', password: 'secret' });
    expect(signedIn).toHaveBeenCalledWith('lin');
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
      environment,
      failedLogins(),
      { record } as unknown as SecurityLog,
      {} as unknown as RegisteredRoles,
      unheard,
    );
    const login = inRequest('a', () => auth.login({ username: 'lin', password: 'x' }));
    await expect(login.answer).rejects.toBe(failure);
    expect(record.mock.calls).toEqual([]);
  });
});

describe('a change of the password', () => {
  const change = (version: number | undefined) => {
    const user = { id: 'u', username: 'lin', role: 'engineer', passwordHash: 'old', disabledAt: null };
    const users = {
      findCredentials: () => Promise.resolve(user),
      replacePassword: () => Promise.resolve(version),
    };
    const auth = new AuthService(
      users as unknown as UsersRepository,
      {
        matches: () => Promise.resolve(true),
        hash: () => Promise.resolve('new'),
      } as unknown as PasswordHasher,
      { issue: (_: unknown, of: number) => `token of version ${of}` } as unknown as AccessTokens,
      environment,
      failedLogins(),
      { record: () => undefined } as unknown as SecurityLog,
      {} as unknown as RegisteredRoles,
      unheard,
    );
    return inRequest('a', () => auth.changePassword(user, { oldPassword: 'old', newPassword: 'another' }))
      .answer;
  };

  it('answers with a token of the version that it makes', async () => {
    await expect(change(1)).resolves.toMatchObject({ token: 'token of version 1' });
  });

  it('is refused where another request has replaced the password meanwhile', async () => {
    await expect(change(undefined)).rejects.toBeInstanceOf(InvalidInputError);
  });
});
