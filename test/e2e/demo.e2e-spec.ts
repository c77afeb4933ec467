import { DemoLaboratory, type DemoReport } from '../../src/cli/demo/demo-laboratory';
import { DEMO_USERNAME, demoContent } from '../../src/cli/demo/demo-content';
import { EXAMPLE_IDS } from '../../src/platform/openapi/example-ids';
import { DatabaseService } from '../../src/platform/database/database.service';
import { bootApp, type Account, type TestApp } from '../support/app';
import { cli } from '../support/cli';

describe('the demo laboratory', () => {
  let service: TestApp;
  let account: Account;
  const load = (password?: string) => new DemoLaboratory(service.app).load(password);

  beforeAll(async () => {
    service = await bootApp();
    account = await service.register();
  });
  afterAll(() => service.close());

  const everything = async () => {
    const { body: formulas } = await account.get('/api/formulas?limit=100').expect(200);
    const { body: projects } = await account.get('/api/projects').expect(200);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => account.get(`/api/ingredients?limit=100&page=${page}`).expect(200)),
    );
    return { formulas, projects, ingredients: pages.flatMap(({ body }) => body.data) };
  };

  it('is not there by itself', async () => {
    const { formulas, projects, ingredients } = await everything();
    expect([formulas.pagination.total, projects.data.length, ingredients.length]).toEqual([0, 0, 0]);
  });

  it('is loaded once, whoever else loads it at the same time, and a second time changes nothing', async () => {
    const [first, other] = (await Promise.all([load(), load()])).toSorted(
      (a, b) => b.user.created - a.user.created,
    ) as [DemoReport, DemoReport];
    expect(Object.values(other).map(({ created }) => created)).toEqual([0, 0, 0, 0, 0, 0]);
    const expected = {
      user: 1,
      ingredients: demoContent.ingredients.length,
      projects: 3,
      formulas: demoContent.formulas.length,
      colors: demoContent.colors.length,
      limits: 1,
    };
    expect(Object.fromEntries(Object.entries(first).map(([kind, { created }]) => [kind, created]))).toEqual(
      expected,
    );
    const before = await everything();

    const second = await load();
    expect(Object.values(second).map(({ created }) => created)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(
      Object.fromEntries(Object.entries(second).map(([kind, { unchanged }]) => [kind, unchanged])),
    ).toEqual(expected);
    expect(await everything()).toEqual(before);
    expect(before.ingredients).toHaveLength(expected.ingredients);
    expect(before.formulas.pagination.total).toBe(expected.formulas);
    const counts = before.projects.data.map(
      (project: { _count: { formulas: number } }) => project._count.formulas,
    );
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(expected.formulas);
  });

  it('has a hair dye whose limits after mixing are those with its developer', async () => {
    const { body: found } = await account.get('/api/formulas?search=Hair%20Colour').expect(200);
    const screening = `/api/ext/formulas/${found.data[0].id}/screening?region=demo`;
    const { mixture, results } = (await account.get(screening).expect(200)).body.data;
    expect(mixture).toMatchObject({
      ...{ name: '6%双氧显色乳(Developer 20 vol)', ratio: 1.5, versionNumber: 1, basis: 'composition' },
    });
    expect(results).toContainEqual(
      expect.objectContaining({ result: 'not-above-limit', amount: '0.32', notes: ['after-mixing'] }),
    );
  });

  it('reads back as it was written', async () => {
    const written = demoContent.formulas.find(({ name }) => name.includes('Moisturising Cream'))!;
    const { body: found } = await account.get('/api/formulas?search=Moisturising').expect(200);
    expect(found.data).toHaveLength(1);
    expect(found.data[0].project.name).toBe(written.projectName);

    const { body } = await account.get(`/api/formulas/${found.data[0].id}`).expect(200);
    const [version] = body.data.versions;
    expect(body.data).toMatchObject({
      name: written.name,
      description: written.description,
      currentVersion: 1,
    });
    expect(
      version.phases.map((phase: { name: string; sortOrder: number; ingredients: Line[] }) => ({
        name: phase.name,
        sortOrder: phase.sortOrder,
        ingredients: phase.ingredients.map(({ ingredient, percentage, processNotes }) => ({
          inciName: ingredient.inciName,
          percentage,
          processNotes,
        })),
      })),
    ).toEqual(written.phases);
  });

  it('has the records that the examples of the OpenAPI document name, and finds glycerin by its CAS number', async () => {
    const { ingredient, otherIngredient, project, formula, line, color, limitEdition, user } = EXAMPLE_IDS;
    const nameOf = async (path: string) => (await account.get(`/api/${path}`).expect(200)).body.data;
    expect(await nameOf(`ingredients/${ingredient}`)).toMatchObject({ inciName: 'Glycerin' });
    expect(await nameOf(`ingredients/${otherIngredient}`)).toMatchObject({ inciName: 'Butylene Glycol' });
    expect(await nameOf(`projects/${project}`)).toMatchObject({ name: demoContent.projects[0]!.name });
    expect(await nameOf(`ext/limits/editions/${limitEdition}`)).toMatchObject({
      name: demoContent.edition.name,
    });
    expect(await nameOf(`ext/color/formulas/${color}`)).toMatchObject({ createdBy: user });
    expect(await nameOf(`ext/users?ids=${user}`)).toEqual([{ id: user, username: DEMO_USERNAME }]);
    const { phases } = await nameOf(`ext/formulas/${formula}/versions/1`);
    expect(phases[0].ingredients[0]).toMatchObject({ id: line, ingredient: { inciName: 'Aqua' } });
    expect(await nameOf('ext/ingredients?casNumber=56-81-5')).toMatchObject([{ id: ingredient }]);
  });

  it('has a formula with five versions and the reasons for them', async () => {
    const [{ formulaName, latestDescription }] = demoContent.histories as [
      (typeof demoContent.histories)[number],
    ];
    const { body: found } = await account.get('/api/formulas?search=Hydrating Serum').expect(200);
    expect(found.data).toMatchObject([{ name: formulaName, currentVersion: 5 }]);
    const { body } = await account.get(`/api/formulas/${found.data[0].id}`).expect(200);
    expect(body.data.versions).toMatchObject([{ versionNumber: 5, description: latestDescription }]);
  });

  it('has raw materials with the substances that they consist of', async () => {
    for (const { inciName, substances } of demoContent.compositions) {
      const { body: found } = await account.get(`/api/ingredients?search=${inciName}`).expect(200);
      const id = found.data.find((it: { inciName: string }) => it.inciName === inciName).id as string;
      const { body } = await account.get(`/api/ext/ingredients/${id}/composition`).expect(200);
      expect(body.data).toMatchObject({ state: 'given', substances });
    }
    const { body: cream } = await account.get('/api/formulas?search=Moisturising').expect(200);
    const { body } = await account
      .get(`/api/ext/formulas/${cream.data[0].id}/declaration?region=eu`)
      .expect(200);
    expect(body.data.text).toMatch(/Parfum, .*Linalool, Limonene, Citronellol/);
  });

  it('has colours that are found by their Lab values', async () => {
    const { formulaName, name, targetLab, actualLab, deltaE, colorantComposition } = demoContent.colors.find(
      (color) => color.formulaName !== null,
    )!;
    const { L, a, b } = targetLab;
    const { body } = await account.get(`/api/color/formulas/match?L=${L}&a=${a}&b=${b}&limit=20`).expect(200);
    expect(body.data[0]).toMatchObject({ name, targetLab, deltaE, colorantComposition, distance: 0 });
    expect(body.data.filter((match: { name: string }) => match.name === name)).toHaveLength(1);
    const linked = await service.app.get(DatabaseService).query(
      {
        name: 'test.linked',
        text: `SELECT f.name, u.username, u.role, c.actual_l AS "L", c.actual_a AS a, c.actual_b AS b
               FROM color_formulas c JOIN formulas f ON f.id = formula_id JOIN users u ON u.id = c.created_by
               WHERE c.name = $1 AND f.created_by = u.id`,
      },
      [name],
    );
    expect(linked).toEqual([{ name: formulaName, username: 'demo', role: 'engineer', ...actualLab }]);
  });

  it('leaves alone what somebody has edited, and brings back what is gone', async () => {
    const { ingredients, formulas } = await everything();
    const glycerin = ingredients.find((it: { inciName: string }) => it.inciName === 'Glycerin');
    await account.put(`/api/ingredients/${glycerin.id}`, { unitPrice: 12, inciName: 'GLYCERIN' }).expect(200);
    const unused = ingredients.find((it: { inciName: string }) => it.inciName === 'Homosalate');
    await account.delete(`/api/ingredients/${unused.id}`).expect(204);

    const report = await load();
    expect(report.ingredients).toEqual({ created: 1, unchanged: demoContent.ingredients.length - 1 });
    expect(report.formulas).toEqual({ created: 0, unchanged: formulas.pagination.total });
    const { body } = await account.get(`/api/ingredients/${glycerin.id}`).expect(200);
    expect(body.data).toMatchObject({ unitPrice: 12, inciName: 'GLYCERIN' });
  });

  it('brings it back where it was: of several of its own of one name the oldest counts', async () => {
    const database = service.app.get(DatabaseService);
    const { name, projectName } = demoContent.formulas[0]!;
    const placeOf = `SELECT p.id FROM projects p JOIN formulas f ON f.project_id = p.id WHERE f.name = $1`;
    const [place] = await database.query<{ id: string }>({ text: placeOf }, [name]);
    // The first by id, and the last that was made.
    const another = `INSERT INTO projects (id, name, created_by, created_at)
      SELECT '00000000-0000-4000-8000-000000000000', name, created_by, created_at + interval '1 second'
      FROM projects WHERE name = $1`;
    await database.query({ text: another }, [projectName]);
    await database.query({ text: 'DELETE FROM formulas WHERE name = $1' }, [name]);

    const { projects, formulas } = await load();
    expect([projects.created, formulas.created]).toEqual([0, 1]);
    expect(await database.query({ text: placeOf }, [name])).toEqual([place]);
  });

  it('gives no record the id of another, also of a formula in the trash', async () => {
    const { formula, ingredient } = EXAMPLE_IDS;
    await cli(['users', 'set-role', account.username, 'admin'], { app: service.app });
    const { body: found } = await account.get(`/api/formulas/${formula}`).expect(200);
    await account.delete(`/api/formulas/${formula}`).expect(204);
    await account.put(`/api/ingredients/${ingredient}`, { inciName: 'Renamed' }).expect(200);

    const report = await load();
    expect([report.formulas.created, report.ingredients.created]).toEqual([1, 1]);
    await account.post(`/api/ext/trash/${formula}/restore`).expect(200);
    const { body } = await account.get(`/api/formulas?search=${encodeURIComponent(found.data.name)}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([formula]));
    expect(body.data).toHaveLength(2);
    const { body: glycerin } = await account.get('/api/ingredients?search=Glycerin').expect(200);
    expect(glycerin.data[0].id).not.toBe(ingredient);
  });

  it('cannot be signed in to unless it was given a password, and never changes one', async () => {
    const signIn = (password: string) =>
      service.http.post('/api/auth/login').send({ username: DEMO_USERNAME, password });
    for (const password of ['demo', 'undefined', '123456']) await signIn(password).expect(401);
    await load('a-later-password');
    await signIn('a-later-password').expect(401);
  });

  it('is all or nothing', async () => {
    const before = await everything();
    const broken = {
      ...demoContent,
      ingredients: [
        { ...demoContent.ingredients[0]!, inciName: 'Novel Extract' },
        ...demoContent.ingredients,
      ],
      formulas: [{ ...demoContent.formulas[0]!, name: 'broken', projectName: 'no such project' }],
    };
    await expect(new DemoLaboratory(service.app, broken).load()).rejects.toThrow('no such project');
    expect(await everything()).toEqual(before);
  });
});

describe('the demo laboratory beside a catalogue', () => {
  it('takes up ingredients that are there, its own supplier first, and doubles none', async () => {
    const service = await bootApp();
    try {
      const account = await service.register();
      const add = async (inciName: string, supplier?: string) => {
        const body = { inciName, chineseName: '已有', functionCategory: 'other', supplier };
        return (await account.post('/api/ingredients', body).expect(201)).body.data.id as string;
      };
      const squalane = await add('SQUALANE', '另一家');
      await add('squalane', '第三家');
      // What others call the same is theirs.
      const { name } = demoContent.projects[0]!;
      await account.post('/api/projects', { name }).expect(201);
      await add('Panthenol', '另一家');
      const panthenol = await add('panthenol', '示例生物科技');
      // The demo has no supplier of the first, and one of the second that is not here.
      await add('Aqua', '另一家');
      const aqua = await add('aqua');
      const xanthan = await add('XANTHAN GUM');
      await add('Xanthan Gum', '另一家');

      const report = await new DemoLaboratory(service.app).load();
      expect(report.ingredients).toEqual({ created: demoContent.ingredients.length - 4, unchanged: 4 });
      expect(report.projects).toEqual({ created: 3, unchanged: 0 });
      const { body: list } = await account.get('/api/formulas?search=Moisturising').expect(200);
      const { body } = await account.get(`/api/formulas/${list.data[0].id}`).expect(200);
      const used = body.data.versions[0].phases.flatMap(
        (phase: { ingredients: { ingredientId: string }[] }) =>
          phase.ingredients.map(({ ingredientId }) => ingredientId),
      );
      expect(used).toEqual(expect.arrayContaining([squalane, panthenol, aqua, xanthan]));
    } finally {
      await service.close();
    }
  });
});

describe('the demo command', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await bootApp();
  });
  afterAll(() => service.close());

  it('says what it did, and that it did nothing the second time', async () => {
    const first = await cli(['demo', '--password'], { app: service.app, stdin: 'open sesame\n' });
    expect(first).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        `ingredients: ${demoContent.ingredients.length} created, 0 there already`,
        'projects: 3 created, 0 there already',
        `formulas: ${demoContent.formulas.length} created, 0 there already`,
        `colour formulas: ${demoContent.colors.length} created, 0 there already`,
        'tables of limits: 1 created, 0 there already',
        'They belong to the new user "demo".',
        '',
      ].join('\n'),
    });
    await service.http
      .post('/api/auth/login')
      .send({ username: DEMO_USERNAME, password: 'open sesame' })
      .expect(200);

    const second = await cli(['demo', '--password'], { app: service.app, stdin: 'another one\n' });
    expect(second.code).toBe(0);
    expect(second.stdout).toContain(`formulas: 0 created, ${demoContent.formulas.length} there already`);
    expect(second.stdout).toContain('its password has not been changed');
    expect(second.stdout).toContain('Nothing has been changed');
    await service.http
      .post('/api/auth/login')
      .send({ username: DEMO_USERNAME, password: 'another one' })
      .expect(401);
  });

  it('refuses a short password, an unknown option and arguments', async () => {
    expect((await cli(['demo', '--password'], { app: service.app, stdin: 'abc\n' })).code).toBe(1);
    expect((await cli(['demo', '--force'], { app: service.app })).code).toBe(2);
    expect((await cli(['demo', 'everything'], { app: service.app })).code).toBe(2);
  });
});

interface Line {
  percentage: number;
  processNotes: string | null;
  ingredient: { inciName: string };
}
