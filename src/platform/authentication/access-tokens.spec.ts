import { createHmac } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import jwt, { type SignOptions } from 'jsonwebtoken';
import type { RegisteredRoles } from '../common/registered-roles';
import { SigningSecret } from '../config/signing-secret';
import { AccessTokens, bearerToken, claimsOf, signingKey, subjectOf, TOKEN_ALGORITHM } from './access-tokens';

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

const ID = '00000000-0000-4000-8000-00000000000a';
const NOW = 1_800_000_000;
const roles = {
  has: (role: unknown): role is string => ['engineer', 'admin', 'viewer'].includes(role as string),
};
const DAY = 24 * 60 * 60;
const ours = { ...claimsOf({ id: ID, username: 'lin', role: 'admin' }, 3, roles), iat: NOW, exp: NOW + DAY };

describe('the claims of a token', () => {
  it('are the user, the role and the version', () => {
    expect(claimsOf({ id: ID, username: 'lin', role: 'admin' }, 3, roles)).toEqual({
      sub: ID,
      username: 'lin',
      role: 'admin',
      ver: 3,
    });
  });

  it('leave out a role that is not registered any more, and are good all the same', () => {
    const claims = claimsOf({ id: ID, username: 'lin', role: 'retired' }, 3, roles);
    expect(claims).toEqual({ sub: ID, username: 'lin', ver: 3 });
    expect(subjectOf({ ...claims, iat: NOW, exp: NOW + DAY }, NOW, roles)).toEqual({
      id: ID,
      tokenVersion: 3,
    });
  });

  it('may name the role of an extension', () => {
    expect(claimsOf({ id: ID, username: 'lin', role: 'viewer' }, 3, roles).role).toBe('viewer');
    expect(subjectOf({ ...ours, role: 'viewer' }, NOW, roles)).toEqual({ id: ID, tokenVersion: 3 });
  });

  it('say whose it is and which version', () => {
    expect(subjectOf(ours, NOW, roles)).toEqual({ id: ID, tokenVersion: 3 });
  });

  it.each([
    ['no version', { sub: ID, username: 'lin', role: 'engineer', iat: NOW, exp: NOW + DAY }],
    ['nothing but the subject and when it was issued', { sub: ID, iat: NOW }],
    ['a clock that is a minute ahead', { ...ours, ver: 0, exp: NOW + DAY + 60 }],
    ['a clock that is a minute ahead, and no end', { sub: ID, iat: NOW + 60 }],
  ])('may have %s', (_, payload) => {
    expect(subjectOf(payload, NOW, roles)).toEqual({ id: ID, tokenVersion: 0 });
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'lin'],
    ['no subject', { ...ours, sub: undefined }],
    ['a subject that is no id', { ...ours, sub: 'lin' }],
    ['a subject that is an object', { ...ours, sub: {} }],
    ['a subject in a list', { ...ours, sub: [ID] }],
    ['a username that is none', { ...ours, username: 5 }],
    ['an unknown role', { ...ours, role: 'root' }],
    ['a role that is no text', { ...ours, role: {} }],
    ['no role but null', { ...ours, role: null }],
    ['a version that is a text', { ...ours, ver: '3' }],
    ['a version that is null', { ...ours, ver: null }],
    ['a version between two', { ...ours, ver: 0.5 }],
    ['a version below 0', { ...ours, ver: -1 }],
    ['an end beyond a day', { ...ours, exp: NOW + DAY + 61 }],
    ['an end that never comes', { ...ours, exp: 1e308 }],
    ['an end that is a text', { ...ours, exp: String(NOW) }],
    ['neither an end nor a beginning', { sub: ID }],
    ['no end and a beginning to come', { sub: ID, iat: NOW + 61 }],
  ])('of ours are not %s', (_, payload) => {
    expect(subjectOf(payload, NOW, roles)).toBeUndefined();
  });
});

describe('bearer token', () => {
  it.each([
    ['Bearer abc.def.ghi', 'abc.def.ghi'],
    ['bearer abc', 'abc'],
    ['BEARER  abc', 'abc'],
    ['Bearer \t abc', 'abc'],
    ['Bearer abc more', 'abc'],
    ['Bearer', null],
    ['Bearer ', null],
    ['Bearerabc', null],
    ['Basic abc', null],
    [' Bearer abc', null],
    ['abc', null],
    ['', null],
    [undefined, null],
  ])('%j: %j', (authorization, token) => {
    expect(bearerToken({ headers: { authorization } })).toBe(token);
  });
});
