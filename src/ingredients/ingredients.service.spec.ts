import { ConflictError, NotFoundError } from '../common/errors/service-error';
import type { SecurityLog } from '../common/security-log';
import { ConstraintViolation } from '../database/pg-errors';
import { INGREDIENT_IN_USE, type IngredientsRepository } from './ingredients.repository';
import { IngredientsService } from './ingredients.service';
import { unheard, unvalidated } from '../../test/support/events';

const inUse = () => new ConstraintViolation(INGREDIENT_IN_USE, 'foreign-key');

/**
 * A service whose deletions end as `outcomes` say, one after the other, while `usages` lines use the
 * ingredient.
 */
function serviceWith(outcomes: (boolean | Error)[], usages: number) {
  const repository = {
    delete: jest.fn(() => {
      const outcome = outcomes.shift()!;
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    }),
    countUsages: () => Promise.resolve(usages),
  };
  const security = { record: jest.fn() };
  const service = new IngredientsService(
    repository as unknown as IngredientsRepository,
    security as unknown as SecurityLog,
    unheard,
    unvalidated,
  );
  return { repository, security, service };
}

describe('IngredientsService.delete', () => {
  it('refuses while lines use it, with their number', async () => {
    const { security, service } = serviceWith([inUse()], 3);
    const refusal = service.delete('id');
    await expect(refusal).rejects.toThrow(ConflictError);
    await expect(refusal).rejects.toMatchObject({ details: { usageCount: 3 } });
    expect(security.record).not.toHaveBeenCalled();
  });

  it('tries again when the last line that used it went in between', async () => {
    const { repository, security, service } = serviceWith([inUse(), true], 0);
    await service.delete('id');
    expect(repository.delete).toHaveBeenCalledTimes(2);
    expect(security.record.mock.calls).toEqual([['record.deleted', { kind: 'ingredient', id: 'id' }]]);
  });

  it('passes on what is no such refusal, and knows when there was nothing', async () => {
    await expect(serviceWith([new Error('gone')], 0).service.delete('id')).rejects.toThrow('gone');
    await expect(serviceWith([false], 0).service.delete('id')).rejects.toThrow(NotFoundError);
  });
});
