import { unheard, unvalidated } from '../../test/support/events';
import { AccessPolicy } from '../platform/access/access-policy';
import { RowFilterService } from '../platform/access/row-filter';
import { ForbiddenError } from '../platform/common/errors/service-error';
import { JsonText } from '../platform/common/json-text';
import { SecurityLog } from '../platform/common/security-log';
import { ProjectsRepository } from './projects.repository';
import { ProjectsService } from './projects.service';

const USER = { id: 'user', username: 'user', role: 'engineer' as const };

/** Says no after a look elsewhere, as the policy of an extension may. */
class SlowRefusal extends AccessPolicy {
  canChange = () => Promise.resolve(false);
  canConfigure = () => Promise.resolve(false);
}

describe('ProjectsService', () => {
  const stored = {
    findById: () => Promise.resolve(new JsonText(JSON.stringify({ id: 'id', createdBy: 'owner' }))),
    update: jest.fn(),
    delete: jest.fn(),
  };
  const service = new ProjectsService(
    stored as unknown as ProjectsRepository,
    new SlowRefusal(),
    RowFilterService.ofEverything(),
    new SecurityLog(),
    unheard,
    unvalidated,
  );

  it.each([
    ['update', () => service.update(USER, 'id', { name: '名' })],
    ['delete', () => service.delete(USER, 'id')],
  ] as const)('waits for a policy that takes its time before it would %s', async (method, change) => {
    await expect(change()).rejects.toThrow(ForbiddenError);
    expect(stored[method]).not.toHaveBeenCalled();
  });
});
