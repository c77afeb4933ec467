import { unheard, unvalidated } from '../../test/support/events';
import { OwnershipPolicy } from '../platform/access/access-policy';
import { RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { ConflictError, ForbiddenError, NotFoundError } from '../platform/common/errors/service-error';
import type { SecurityLog } from '../platform/common/security-log';
import { ConstraintViolation } from '../platform/database/pg-errors';
import type { TransactionManager } from '../platform/database/transaction-manager';
import { INGREDIENT_IN_USE, type IngredientsRepository } from './ingredients.repository';
import { IngredientsService } from './ingredients.service';

const inUse = () => new ConstraintViolation(INGREDIENT_IN_USE, 'foreign-key');

/**
 * A service whose deletions end as `outcomes` say, one after the other, while `count` lines use the
 * ingredient, `shown` of which the reader may see.
 */
function serviceWith(outcomes: (boolean | Error)[], count: number, shown = count) {
  const repository = {
    delete: jest.fn(() => {
      const outcome = outcomes.shift()!;
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    }),
    usageOf: () => Promise.resolve({ count, shown }),
  };
  const security = { record: jest.fn() };
  const service = new IngredientsService(
    repository as unknown as IngredientsRepository,
    new OwnershipPolicy('engineer'),
    new RowFilterService(),
    security as unknown as SecurityLog,
    unheard,
    unvalidated,
    {} as TransactionManager,
  );
  return { repository, security, service };
}

describe('IngredientsService.delete', () => {
  it('refuses while lines use it, with their number', async () => {
    const { security, service } = serviceWith([inUse()], 3);
    const refusal = service.delete(RowFilter.EVERYTHING, 'id');
    await expect(refusal).rejects.toThrow(ConflictError);
    await expect(refusal).rejects.toMatchObject({ details: { usageCount: 3 } });
    expect(security.record).not.toHaveBeenCalled();
  });

  it('refuses also where nothing that the reader may see uses it, and tells of nothing else', async () => {
    const refusal = serviceWith([inUse()], 3, 0).service.delete(RowFilter.EVERYTHING, 'id');
    await expect(refusal).rejects.toMatchObject({ status: 409, details: { usageCount: 0 } });
  });

  it('tries again when the last line that used it went in between', async () => {
    const { repository, security, service } = serviceWith([inUse(), true], 0);
    await service.delete(RowFilter.EVERYTHING, 'id');
    expect(repository.delete).toHaveBeenCalledTimes(2);
    expect(security.record.mock.calls).toEqual([['record.deleted', { kind: 'ingredient', id: 'id' }]]);
  });

  it('passes on what is no such refusal, and knows when there was nothing', async () => {
    await expect(
      serviceWith([new Error('gone')], 0).service.delete(RowFilter.EVERYTHING, 'id'),
    ).rejects.toThrow('gone');
    await expect(serviceWith([false], 0).service.delete(RowFilter.EVERYTHING, 'id')).rejects.toThrow(
      NotFoundError,
    );
  });
});

describe('An ingredient that the caller may not change', () => {
  class Refusing extends OwnershipPolicy {
    override canChangeIngredient = (_: CurrentUser, id: string) => id !== 'kept';
  }
  const user = { id: 'u', username: 'vera', role: 'viewer' };

  const serviceOf = (isThere: boolean) => {
    const repository = {
      findById: () => Promise.resolve(isThere ? {} : undefined),
      update: jest.fn(() => Promise.resolve({})),
      delete: jest.fn(() => Promise.resolve(true)),
    };
    const service = new IngredientsService(
      repository as unknown as IngredientsRepository,
      new Refusing('engineer'),
      RowFilterService.ofEverything(),
      { record: jest.fn() } as unknown as SecurityLog,
      unheard,
      unvalidated,
      {} as TransactionManager,
    );
    return { repository, service };
  };

  it.each<[boolean, typeof ForbiddenError | typeof NotFoundError]>([
    [true, ForbiddenError],
    [false, NotFoundError],
  ])('is not written (there is one: %s)', async (isThere, error) => {
    const { repository, service } = serviceOf(isThere);
    await expect(service.update(user, 'kept', {})).rejects.toThrow(error);
    await expect(service.delete(user, 'kept')).rejects.toThrow(error);
    expect(repository.update).not.toHaveBeenCalled();
    expect(repository.delete).not.toHaveBeenCalled();
  });

  it('is one of those that the policy names, and the service itself is not asked', async () => {
    const { repository, service } = serviceOf(true);
    await service.delete(user, 'other');
    await service.delete(RowFilter.EVERYTHING, 'kept');
    expect(repository.delete).toHaveBeenCalledTimes(2);
  });
});
