import { parseEnvironment } from '../config/environment';
import { redactor } from './redaction';

describe('redactor', () => {
  const redact = redactor(
    parseEnvironment({
      DATABASE_URL: 'postgres://lab:pass%20word-1@db/lab',
      JWT_SECRET: 'a "quoted" secret',
      JWT_SECRET_PREVIOUS: 'signed-before',
      CONFIG_ENCRYPTION_KEY: 'sealed-now',
      CONFIG_ENCRYPTION_KEY_PREVIOUS: 'sealed-before',
      REDIS_URL: 'redis://:redis-word@redis:6379/0',
      ALPHA_API_KEY: 'alpha-key-1234',
      BETA_API_KEY: 'beta',
      DB_OLD_SECRET: 'secret-of-before',
      DB_NEW_SECRET: 'secret-to-come',
      ADMIN_USERNAME: 'lin',
      ADMIN_PASSWORD: 'first-of-all',
    }),
  );

  it.each([
    ['key alpha-key-1234 refused', 'key [Redacted] refused'],
    ['pass%20word-1 and pass word-1', '[Redacted] and [Redacted]'],
    [JSON.stringify('a "quoted" secret'), '"[Redacted]"'],
    ['{"msg":"authorization: Bearer abc.def-1=="}', '{"msg":"authorization: Bearer [Redacted]"}'],
    ['token eyJhbGciOi.eyJzdWIiOi.abc_-1 refused', 'token [Redacted] refused'],
    ['postgres://user:hunter2@host/db', 'postgres://user:[Redacted]@host/db'],
    ['no postgres://h/d?user=u&password=a%20b&x=1', 'no postgres://h/d?user=u&password=[Redacted]&x=1'],
    ['"rediss://h?Password=a&b"', '"rediss://h?Password=[Redacted]&b"'],
    ["at 'postgres://h/d?password=it's&x=1'", "at 'postgres://h/d?password=[Redacted]&x=1'"],
    ['redis://h?db=1&sentinelPassword=abc', 'redis://h?db=1&sentinelPassword=[Redacted]'],
    [
      JSON.stringify({ msg: 'not "?password=abc"', next: 'b' }),
      JSON.stringify({ msg: 'not "?password=[Redacted]"', next: 'b' }),
    ],
    ['password=in-words', 'password=in-words'],
    ['sk-very-secret-0123456789', '[Redacted]'],
    ['secret-of-before, secret-to-come', '[Redacted], [Redacted]'],
    ['signed-before, sealed-now, sealed-before', '[Redacted], [Redacted], [Redacted]'],
    ['no account for first-of-all', 'no account for [Redacted]'],
    ['WRONGPASS redis-word', 'WRONGPASS [Redacted]'],
    ['http://u:p:w@host and a://b:c@d', 'http://u:[Redacted]@host and a://b:[Redacted]@d'],
    // Too short to be told from words, and what is none.
    ['beta fails at http://localhost:3001/api', 'beta fails at http://localhost:3001/api'],
  ])('makes %s %s', (line, clean) => expect(redact(line)).toBe(clean));

  it('takes a password that is not encoded, as the driver does', () => {
    const driversOwn = redactor(parseEnvironment({ DATABASE_URL: 'postgres://lab:50%off-all@db/lab' }));
    expect(driversOwn('no entry for 50%off-all')).toBe('no entry for [Redacted]');
  });

  it('takes passwords that are parameters of the address', () => {
    const address = 'postgres://db/lab?password=of%20the%20lab&password=the+other+one';
    const driversOwn = redactor(parseEnvironment({ DATABASE_URL: address }));
    expect(driversOwn('no entry for of the lab')).toBe('no entry for [Redacted]');
    expect(driversOwn('as of%20the%20lab, the other one')).toBe('as [Redacted], [Redacted]');
  });

  /** Processor time for the longest of somebody's words, in microseconds. */
  const workOn = (part: string, length: number) => {
    const line = `://${part.repeat(length / part.length)}`;
    const before = process.cpuUsage();
    redact(line);
    return process.cpuUsage(before).user;
  };

  it.each(['eyJ-', '&password=', '?password', '://a:', ':', 'Bearer ', 'sk-', 'eyJ.', '@', 'eyJa.eyJ-'])(
    'eight times as much of %s is not sixty times the work',
    (part) => {
      const little = Math.max(workOn(part, 20_000), 1000);
      expect(workOn(part, 160_000) / little).toBeLessThan(40);
    },
  );
});
