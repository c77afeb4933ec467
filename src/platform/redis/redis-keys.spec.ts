import { RedisKeys } from './redis-keys';

const SECRET = 'secret-of-a-deployment';

describe('keys in Redis', () => {
  const keys = new RedisKeys(SECRET);

  it('are the same for all who have the same secret, and others for each other one', () => {
    const [same, other] = [new RedisKeys(SECRET), new RedisKeys('another-secret')];
    for (const keyOf of [
      (of: RedisKeys) => of.named('ai-rate'),
      (of: RedisKeys) => of.hashed('logins', 'lin 10.0.0.1'),
    ]) {
      expect(keyOf(same)).toBe(keyOf(keys));
      expect(keyOf(other)).not.toBe(keyOf(keys));
    }
    expect(other.named('')).not.toBe(keys.named(''));
  });

  it('show what they are of and not whose', () => {
    expect(keys.named('ai-rate')).toMatch(/^formula:[0-9a-f]{16}:ai-rate$/);
    expect(keys.hashed('logins', 'lin 10.0.0.1')).toMatch(/^formula:[0-9a-f]{16}:logins:[0-9a-f]{64}$/);
    expect(keys.hashed('logins', 'lin')).not.toBe(keys.hashed('logins', 'wang'));
    expect(keys.named('') + keys.hashed('logins', 'lin')).not.toContain(SECRET);
  });
});
