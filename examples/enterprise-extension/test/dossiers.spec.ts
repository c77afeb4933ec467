import { createTestApp, type TestApp } from 'formula-development-service/testing';
import { DossiersModule } from '../src/dossiers/dossiers.module';
import { StabilityModule } from '../src/stability/stability.module';
import { TeamsModule } from '../src/teams/teams.module';
import { createFormula } from './formulas';

describe('Dossiers', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ extensions: [TeamsModule, StabilityModule, DossiersModule] });
  });
  afterAll(() => app.close());

  it('are fields of formulas, for those who see these', async () => {
    const [ann, bob, vera] = await Promise.all([
      app.account('ann'),
      app.account('bob'),
      app.account('vera', { role: 'viewer' }),
    ]);
    const path = `/api/ext/dossiers/${await createFormula(ann, 'Day cream')}`;
    expect((await ann.get(path)).body.data).toEqual({ code: null, shelfLife: null });
    expect((await ann.put(path, { code: 'D-1' })).body.data).toEqual({ code: 'D-1', shelfLife: null });
    expect((await ann.put(path, { shelfLife: 30 })).body.data).toEqual({ code: 'D-1', shelfLife: 30 });
    expect((await bob.get(path)).status).toBe(404);
    expect((await vera.put(path, { code: 'D-2' })).status).toBe(404);
    expect((await ann.put(path, { shelfLife: 0 })).status).toBe(400);

    const other = `/api/ext/dossiers/${await createFormula(ann, 'Night cream')}`;
    const taken = await ann.put(other, { code: 'D-1' });
    expect(taken.status).toBe(409);
    expect(taken.headers.get('x-error-code')).toBe('dossier.code-taken');
    const { body } = await ann.get('/api/ext/dossiers?code=D-1');
    expect(body.data).toMatchObject([{ recordName: 'Day cream', shelfLife: 30 }]);
    expect((await bob.get('/api/ext/dossiers')).body.data).toEqual([]);
  });
});
