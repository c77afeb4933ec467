import { firstValueFrom, of } from 'rxjs';
import type { AiService } from '../ai/call/ai.service';
import { recommendColorants } from '../ai/capabilities/recommend-colorants/recommend-colorants';
import type { ColorFormulasRepository } from './color-formulas.repository';
import { ColorService } from './color.service';

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

function serviceWith(create: () => Promise<unknown>) {
  const call = jest.fn(() => of({ answer: { recommendations: [] }, source: 'ai' }));
  const colors = {
    create,
    nearest: () => Promise.resolve(ranked),
    findRanked: () => Promise.resolve([{ ...stored, distance: 1.5 }]),
  } as unknown as ColorFormulasRepository;
  const service = new ColorService(colors, { call } as unknown as AiService);
  return { service, call };
}

describe('ColorService', () => {
  it('sends of a neighbour what a recommendation needs, and neither ids nor owners', async () => {
    const { service, call } = serviceWith(() => Promise.reject(new Error('unused')));
    const targetLab = { L: 50, a: 61, b: 30 };
    const { answer } = await firstValueFrom(service.recommend(targetLab));
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

  it('takes only the missing formula for a fault of the request', async () => {
    const failure = new Error('the disk is full');
    const { service } = serviceWith(() => Promise.reject(failure));
    await expect(service.create({ targetLab: stored.targetLab }, 'u')).rejects.toBe(failure);
  });
});
