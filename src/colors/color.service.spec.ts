import { firstValueFrom, of } from 'rxjs';
import { unheard, unvalidated } from '../../test/support/events';
import { OwnershipPolicy } from '../platform/access/access-policy';
import { RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { AiService } from '../ai/pipeline/ai.service';
import { recommendColorants } from '../ai/capabilities/recommend-colorants/recommend-colorants';
import { JsonText } from '../platform/common/json-text';
import type { SecurityLog } from '../platform/common/security-log';
import type { TransactionManager } from '../platform/database/transaction-manager';
import type { ColorFormulasRepository } from './color-formulas.repository';
import type { FormulasRepository } from '../formulas/formulas.repository';
import { ColorService } from './color.service';

const USER = { id: 'u', username: 'u', role: 'engineer' } as const;

const stored = {
  id: 'a',
  name: '正红',
  targetLab: { L: 50, a: 60, b: 30 },
  actualLab: { L: 51, a: 59, b: 30 },
  deltaE: 1,
  colorantComposition: { 'CI 77491': 2.4 },
  formulaId: 'f',
  createdBy: 'u',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const ranked = [{ id: 'a', distance: 1.5 }];

function serviceWith(create: (color: unknown) => Promise<unknown>) {
  const call = jest.fn(() => of({ answer: { recommendations: [] }, source: 'ai' }));
  const colors = {
    create,
    nearest: jest.fn(() => Promise.resolve(ranked)),
    nearestByCiede2000: jest.fn(() => Promise.resolve(ranked)),
    matched: jest.fn(() => Promise.resolve(new JsonText('[{"id":"a"}]'))),
    findRanked: jest.fn(() => Promise.resolve([{ ...stored, distance: 1.5 }])),
  };
  const service = new ColorService(
    colors as unknown as ColorFormulasRepository,
    {} as unknown as FormulasRepository,
    { call } as unknown as AiService,
    new OwnershipPolicy('engineer'),
    RowFilterService.ofEverything(),
    unheard,
    unvalidated,
    {} as unknown as TransactionManager,
    {} as unknown as SecurityLog,
  );
  return { service, call, colors };
}

describe('ColorService', () => {
  it('sends of a neighbour what a recommendation needs, and neither ids nor owners', async () => {
    const { service, call } = serviceWith(() => Promise.reject(new Error('unused')));
    const targetLab = { L: 50, a: 61, b: 30 };
    const { answer } = await firstValueFrom(service.recommend(USER, targetLab));
    const { name, targetLab: target, actualLab, colorantComposition } = stored;
    expect(call).toHaveBeenCalledWith(recommendColorants, {
      targetLab,
      neighbours: [{ name, targetLab: target, actualLab, colorantComposition, distance: 1.5 }],
    });
    expect(answer).toEqual({
      recommendations: [],
      matchedFormulas: [{ id: 'a', name: '正红', deltaE: 1.5 }],
    });
  });

  it('asks for five neighbours when somebody subscribes, and says where the answer came from', async () => {
    const { service, colors } = serviceWith(() => Promise.reject(new Error('unused')));
    const recommendation = service.recommend(USER, stored.targetLab);
    expect(colors.nearest).not.toHaveBeenCalled();
    expect(await firstValueFrom(recommendation)).toMatchObject({ source: 'ai' });
    expect(colors.nearest.mock.calls).toEqual([[RowFilter.EVERYTHING, stored.targetLab, 5]]);
    expect(colors.findRanked.mock.calls).toEqual([[RowFilter.EVERYTHING, ranked]]);
  });

  it('matches what may be read by CIEDE2000, as it is sent and as objects', async () => {
    const { service, colors } = serviceWith(() => Promise.reject(new Error('unused')));
    expect((await service.matchAsJson(USER, stored.targetLab, 3)).text).toBe('[{"id":"a"}]');
    expect(await service.match(USER, stored.targetLab, 4)).toEqual([{ id: 'a' }]);
    expect(colors.nearestByCiede2000.mock.calls).toEqual([
      [RowFilter.EVERYTHING, stored.targetLab, 3],
      [RowFilter.EVERYTHING, stored.targetLab, 4],
    ]);
    expect(colors.matched.mock.calls).toEqual([
      [RowFilter.EVERYTHING, ranked],
      [RowFilter.EVERYTHING, ranked],
    ]);
  });

  it.each([
    [undefined, '未命名颜色配方'],
    [null, '未命名颜色配方'],
    [' ', '未命名颜色配方'],
    [' 红 ', ' 红 '],
  ])('stores the name %j as %j, with all that is absent as null', async (name, kept) => {
    const create = jest.fn((_: unknown) => Promise.resolve(stored));
    const { service } = serviceWith(create);
    await service.create(USER, { name, targetLab: stored.targetLab });
    expect(create.mock.calls).toEqual([
      [
        {
          name: kept,
          targetLab: stored.targetLab,
          actualLab: null,
          deltaE: null,
          colorantComposition: null,
          formulaId: null,
          createdBy: 'u',
        },
      ],
    ]);
  });

  it('takes only the missing formula for a fault of the request', async () => {
    const failure = new Error('the disk is full');
    const { service } = serviceWith(() => Promise.reject(failure));
    const { targetLab } = stored;
    await expect(service.create(USER, { targetLab })).rejects.toBe(failure);
    await expect(service.create(USER, { targetLab, formulaId: 'f' })).rejects.toBe(failure);
  });
});
