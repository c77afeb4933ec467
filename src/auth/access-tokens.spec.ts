import { createHmac } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import jwt, { type SignOptions } from 'jsonwebtoken';
import type { RegisteredRoles } from '../common/registered-roles';
import { SigningSecret } from '../config/signing-secret';
import { AccessTokens, signingKey, TOKEN_ALGORITHM } from './access-tokens';

const secret = new SigningSecret('a secret');
const key = signingKey(secret);
const service = new JwtService({
  secret: key as unknown as Buffer,
  verifyOptions: { algorithms: [TOKEN_ALGORITHM] },
});

const sign = (payload: object, options: SignOptions = {}) => jwt.sign(payload, key, options);

/** Signed with our secret, whatever it says. */
function signText(payload: string, header = '{"alg":"HS256","typ":"JWT"}'): string {
  const signed = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

describe('the signed subject', () => {
  let tokens: AccessTokens;
  let verify: jest.SpyInstance;

  beforeEach(() => {
    tokens = new AccessTokens(service, {} as RegisteredRoles, secret);
    verify = jest.spyOn(service, 'verify');
  });

  afterEach(() => verify.mockRestore());

  it.each([
    ['one of ours', sign({ sub: 'lin' }, { expiresIn: '24h' })],
    ['an expired one', sign({ sub: 'lin' }, { expiresIn: '-1h' })],
    ['one not yet good', sign({ sub: 'lin' }, { notBefore: '1h' })],
    ['one without times', sign({ sub: 'lin' }, { noTimestamp: true })],
  ])('%s has one', (_, token) => {
    expect(tokens.signedSubject(token)).toBe('lin');
  });

  it.each<[string, string | null]>([
    ['no token', null],
    ['nonsense', 'nonsense'],
    ['another secret', jwt.sign({ sub: 'lin' }, 'another secret')],
    ['no algorithm', jwt.sign({ sub: 'lin' }, null, { algorithm: 'none' })],
    ['another HMAC', sign({ sub: 'lin' }, { algorithm: 'HS512' })],
    ['no subject', sign({ username: 'lin' })],
    ['an empty subject', signText('{"sub":""}')],
    ['a subject that is no text', signText('{"sub":{"id":"lin"}}')],
    ...['null', '5', 'true', '"lin"', '["lin"]', '{', '', '{}'].map((text): [string, string] => [
      text,
      signText(text),
    ]),
    ['a header that is no object', signText('{"sub":"lin"}', 'null')],
  ])('%s has none, and nothing is thrown', (_, token) => {
    expect(tokens.signedSubject(token)).toBeUndefined();
    expect(tokens.signedSubject(token)).toBeUndefined();
  });

  it('one signed with the previous secret has one too, while that is set', () => {
    const rotated = new SigningSecret('a new secret', false, 'a secret');
    const after = new AccessTokens(service, {} as RegisteredRoles, rotated);
    const [old, ours] = [sign({ sub: 'lin' }), jwt.sign({ sub: 'mei' }, 'a new secret')];
    expect([old, ours].map((token) => after.signed(token)?.subject)).toEqual(['lin', 'mei']);
    expect(after.signed(old)!.key.equals(key)).toBe(true);
    expect(after.signed(ours)!.key.equals(signingKey(rotated))).toBe(true);
    expect(after.signedSubject(sign({ sub: 'lin' }, { algorithm: 'HS512' }))).toBeUndefined();
    const over = new AccessTokens(service, {} as RegisteredRoles, new SigningSecret('a new secret'));
    expect(over.signedSubject(old)).toBeUndefined();
  });

  it('is verified once for each token, good or bad', () => {
    const [good, bad] = [sign({ sub: 'lin' }), sign({ sub: 'lin' }).slice(0, -4)];
    for (const token of [good, bad, good, bad, good]) tokens.signedSubject(token);
    expect(verify.mock.calls.map(([token]) => token)).toEqual([good, bad]);
  });

  it('remembers a thousand tokens, and no long ones', () => {
    const long = `long.${'x'.repeat(2000)}`;
    const kept = tokens as unknown as { known: Map<string, unknown> };
    for (let n = 0; n < 1000; n++) tokens.signedSubject(`token ${n}`);
    tokens.signedSubject(long);
    expect(kept.known.size).toBe(1000);
    expect(kept.known.has(long)).toBe(false);
    tokens.signedSubject('one more');
    expect([...kept.known.keys()]).toEqual(['one more']);
  });
});
