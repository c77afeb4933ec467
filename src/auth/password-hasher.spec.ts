import * as crypto from 'node:crypto';
import { UnavailableError } from '../common/errors/service-error';
import { NO_PASSWORD, PasswordHasher } from './password-hasher';

jest.mock('node:crypto', () => {
  const actual = jest.requireActual<typeof crypto>('node:crypto');
  return { ...actual, scrypt: jest.fn(actual.scrypt), timingSafeEqual: jest.fn(actual.timingSafeEqual) };
});

const scrypt = jest.mocked(crypto.scrypt);
const timingSafeEqual = jest.mocked(crypto.timingSafeEqual);

const cores = (count: number) => ({ count: () => count });

describe('password hasher', () => {
  const hasher = new PasswordHasher();

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

  it('lets some run, some wait and refuses the rest, and serves again afterwards', async () => {
    const small = new PasswordHasher(cores(1), 2);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => small.hash('x')));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    for (const result of results.slice(3)) {
      const { reason } = result as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(UnavailableError);
      expect(reason).toMatchObject({ message: '登录请求过多,请稍后再试', headers: { 'Retry-After': '2' } });
    }
    await expect(small.hash('x')).resolves.toEqual(expect.any(String));
  });

  it('does not hash for one who has gone while waiting', async () => {
    const small = new PasswordHasher(cores(1));
    const gone = new AbortController();
    const first = small.hash('x');
    const left = small.hash('x', { client: 'gone', gone: gone.signal });
    gone.abort();
    await expect(left).rejects.toBeInstanceOf(UnavailableError);
    await first;
    expect(scrypt).toHaveBeenCalledTimes(1);
  });

  /** Runs the hashes for real and says how many ran at the same time at most. */
  function watch() {
    const watched = { running: 0, most: 0 };
    const { scrypt: real } = jest.requireActual<typeof crypto>('node:crypto');
    scrypt.mockImplementation(((
      password: string,
      salt: Buffer,
      length: number,
      done: (error: Error | null, key: Buffer) => void,
    ) => {
      watched.most = Math.max(watched.most, ++watched.running);
      real(password, salt, length, (error, key) => {
        watched.running--;
        done(error, key);
      });
    }) as typeof crypto.scrypt);
    return watched;
  }

  it('never runs more at once than it may', async () => {
    const watched = watch();
    const pair = new PasswordHasher(cores(2), 100);
    await Promise.all(Array.from({ length: 12 }, () => pair.hash('x')));
    expect(watched.most).toBe(2);
  });

  it('runs fewer as soon as fewer cores are to spare, and more again later', async () => {
    const running: (() => void)[] = [];
    scrypt.mockImplementation(((
      _password: string,
      _salt: Buffer,
      length: number,
      done: (error: Error | null, key: Buffer) => void,
    ) => running.push(() => done(null, Buffer.alloc(length)))) as unknown as typeof crypto.scrypt);
    const finishOne = async () => {
      running.shift()!();
      await new Promise(setImmediate);
    };
    const spare = { cores: 3, count: () => spare.cores };
    const hasher = new PasswordHasher(spare, 100);
    const hashes = Array.from({ length: 9 }, () => hasher.hash('x'));
    await new Promise(setImmediate);
    expect(running).toHaveLength(3);

    spare.cores = 1;
    await finishOne();
    expect(running).toHaveLength(2);
    await finishOne();
    expect(running).toHaveLength(1);
    await finishOne();
    expect(running).toHaveLength(1);

    spare.cores = 3;
    await finishOne();
    expect(running).toHaveLength(3);
    while (running.length > 0) await finishOne();
    await Promise.all(hashes);
  });
});
