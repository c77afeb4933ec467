import * as crypto from 'node:crypto';
import { ConcurrencyLimiter } from '../platform/request-limits/concurrency-limiter';
import { parseEnvironment } from '../platform/config/environment';
import { NO_PASSWORD, PasswordHasher } from './password-hasher';

jest.mock('node:crypto', () => {
  const actual = jest.requireActual<typeof crypto>('node:crypto');
  return { ...actual, scrypt: jest.fn(actual.scrypt), timingSafeEqual: jest.fn(actual.timingSafeEqual) };
});

const scrypt = jest.mocked(crypto.scrypt);
const timingSafeEqual = jest.mocked(crypto.timingSafeEqual);

describe('password hasher', () => {
  const limiter = new ConcurrencyLimiter(parseEnvironment({ NODE_ENV: 'test' }));
  const hasher = new PasswordHasher(limiter);

  beforeEach(() => {
    scrypt.mockClear();
    timingSafeEqual.mockClear();
  });

  it('makes `<salt_hex>:<hash_hex>` of 16 and 64 bytes, salted anew each time', async () => {
    const [first, second] = [await hasher.hash('secret'), await hasher.hash('secret')];
    expect(first).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
    expect(second).not.toBe(first);
    expect(second.slice(0, 32)).not.toBe(first.slice(0, 32));
  });

  it('is scrypt at Node’s default cost', async () => {
    const [salt, hash] = (await hasher.hash('密码')).split(':').map((part) => Buffer.from(part, 'hex'));
    expect(crypto.scryptSync('密码', salt!, 64).equals(hash!)).toBe(true);
  });

  it('knows the password again, and no other', async () => {
    const stored = await hasher.hash('secret ');
    expect(await hasher.matches('secret ', stored)).toBe(true);
    for (const wrong of ['secret', 'Secret ', '', ' secret ']) {
      expect(await hasher.matches(wrong, stored)).toBe(false);
    }
  });

  it('does the same work for a user who does not exist, and compares in constant time', async () => {
    const stored = await hasher.hash('secret');
    scrypt.mockClear();
    expect(await hasher.matches('wrong', stored)).toBe(false);
    expect(await hasher.matches('wrong', undefined)).toBe(false);
    expect(scrypt).toHaveBeenCalledTimes(2);
    expect(timingSafeEqual).toHaveBeenCalledTimes(2);
    const [known, unknown] = scrypt.mock.calls;
    expect(Buffer.from(unknown![1] as Buffer)).toHaveLength((known![1] as Buffer).length);
    expect(unknown![2]).toBe(known![2]);
  });

  it('does the same work for an account without a password, which none is right for', async () => {
    timingSafeEqual.mockReturnValueOnce(true);
    expect(await hasher.matches('', NO_PASSWORD)).toBe(false);
    expect(await hasher.matches('secret', NO_PASSWORD)).toBe(false);
    expect(scrypt).toHaveBeenCalledTimes(2);
    expect(timingSafeEqual).toHaveBeenCalledTimes(2);
    expect((scrypt.mock.calls[0]![1] as Buffer).byteLength).toBe(16);
  });

  it('takes nothing malformed for a hash', async () => {
    for (const stored of ['', ':', 'abc', 'zz:zz', `${'00'.repeat(16)}:`, `:${'00'.repeat(63)}`]) {
      expect(await hasher.matches('', stored)).toBe(false);
    }
  });

  it('hashes in a lane of their own', async () => {
    const run = jest.spyOn(limiter, 'run');
    await hasher.matches('secret', await hasher.hash('secret'));
    expect(run.mock.calls.map(([lane]) => lane)).toEqual(['password', 'password']);
  });
});
