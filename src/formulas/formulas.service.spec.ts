import { unheard, unvalidated } from '../../test/support/events';
import { AccessPolicy } from '../platform/access/access-policy';
import { RowFilterService } from '../platform/access/row-filter';
import { ForbiddenError } from '../platform/common/errors/service-error';
import { SecurityLog } from '../platform/common/security-log';
import type { TransactionManager } from '../platform/database/transaction-manager';
import type { FormulaReferences } from './formula-references';
import { FormulasRepository } from './formulas.repository';
import { FormulasService } from './formulas.service';
import type { TrashService } from './trash/trash.service';

const USER = { id: 'user', username: 'user', role: 'engineer' as const };

/** Says no after a look elsewhere, as the policy of an extension may. */
class SlowRefusal extends AccessPolicy {
  canChange = () => Promise.resolve(false);
  canConfigure = () => Promise.resolve(false);
}

describe('FormulasService', () => {
  const stored = {
    findOwner: () => Promise.resolve('owner'),
    updateMetadata: jest.fn(),
    revise: jest.fn(),
    delete: jest.fn(),
  };
  const service = new FormulasService(
    stored as unknown as FormulasRepository,
    new SlowRefusal(),
    RowFilterService.ofEverything(),
    new SecurityLog(),
    unheard,
    unvalidated,
    {} as TransactionManager,
    {} as FormulaReferences,
    {} as TrashService,
  );
  const phases = [{ name: '相', sortOrder: 1, ingredients: [{ ingredientId: 'water', percentage: 100 }] }];

  it.each([
    ['updateMetadata', () => service.updateMetadata(USER, 'id', { name: '名' })],
    ['revise', () => service.revise(USER, 'id', { phases })],
    ['delete', () => service.delete(USER, 'id')],
  ] as const)('waits for a policy that takes its time before it would %s', async (method, change) => {
    await expect(change()).rejects.toThrow(ForbiddenError);
    expect(stored[method]).not.toHaveBeenCalled();
  });
});
