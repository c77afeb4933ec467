import { claimsOf, subjectOf } from './token-claims';

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
