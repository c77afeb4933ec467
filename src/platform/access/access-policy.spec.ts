import type { CurrentUser } from '../common/current-user';
import { type OwnedRecord, OwnershipPolicy } from './access-policy';

const engineer: CurrentUser = { id: 'e', username: 'e', role: 'engineer' };
const admin: CurrentUser = { id: 'a', username: 'a', role: 'admin' };
const owned = (createdBy: string, kind: OwnedRecord['kind'] = 'formula') => ({ kind, id: '1', createdBy });

describe('ownership policy', () => {
  const policy = new OwnershipPolicy('engineer');

  it.each(['formula', 'project'] as const)('a %s is its creator’s and the admins’', (kind) => {
    expect(policy.canChange(engineer, owned('e', kind))).toBe(true);
    expect(policy.canChange(engineer, owned('a', kind))).toBe(false);
    expect(policy.canChange(admin, owned('e', kind))).toBe(true);
  });

  it('the configuration is for the configured role and admins, for no other', () => {
    expect(policy.canConfigure(engineer)).toBe(true);
    expect(policy.canConfigure(admin)).toBe(true);
    expect(policy.canConfigure({ ...engineer, role: 'viewer' })).toBe(false);
    const strict = new OwnershipPolicy('admin');
    expect(strict.canConfigure(engineer)).toBe(false);
    expect(strict.canConfigure(admin)).toBe(true);
    const named = new OwnershipPolicy('lead');
    expect(['lead', 'engineer', 'admin'].map((role) => named.canConfigure({ ...engineer, role }))).toEqual([
      true,
      false,
      true,
    ]);
  });
});
