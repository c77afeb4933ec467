import { get, type IncomingMessage } from 'node:http';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { FORMULA_COLUMNS } from '../../src/formulas/files/formula-file.words';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, phasesOf } from '../support/factories';
import { countStatements } from '../support/statements';

let service: TestApp;
let user: Account;
beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
});
afterAll(() => service.close());

const rowsOf = (csv: string) =>
  parse<Record<string, string>>(csv, { bom: true, columns: true, record_delimiter: '\r\n' });

describe('GET /api/ext/export/formulas', () => {
  it('answers formulas as the contract does, with the current or with all versions', async () => {
    const { id: ingredient } = await createIngredient(user);
    const project = await createProject(user, { name: '导出项目' });
    const { id } = await createFormula(user, phasesOf(ingredient, [60, 15], [25]), {
      name: '导出配方',
      projectId: project.id,
    });
    await user.put(`/api/formulas/${id}/composition`, { phases: phasesOf(ingredient, [100]) }).expect(200);
    const contract = (await user.get(`/api/formulas/${id}`).expect(200)).body.data;
    const formula = { ...contract, profile: null };

    const path = `/api/ext/export/formulas?projectId=${project.id}`;
    expect((await user.get(path).expect(200)).body).toEqual({ data: [formula] });
    const [all] = (await user.get(`${path}&versions=all`).expect(200)).body.data;
    expect({ ...all, versions: all.versions.slice(1) }).toEqual(formula);
    expect(all.versions.map((version: { versionNumber: number }) => version.versionNumber)).toEqual([1, 2]);
    expect(all.versions[0].phases).toHaveLength(2);
  });

  it('has a row for each line, in CSV and XLSX, and no text that is a formula', async () => {
    const { id: ingredientId, ...ingredient } = await createIngredient(user, { supplier: '-supplier' });
    const project = await createProject(user, { name: '@项目' });
    const phases = [
      {
        name: '=A',
        sortOrder: 3,
        ingredients: [
          { ingredientId, percentage: 99.9, processNotes: '+x;=1\t@y' },
          { ingredientId, percentage: 0.1 },
        ],
      },
    ];
    const { id } = await createFormula(user, phases, { name: '=cmd|x', projectId: project.id });
    const path = `/api/ext/export/formulas?projectId=${project.id}`;
    const csv = await user
      .get(`${path}&format=csv`)
      .expect(200)
      .expect('content-type', /^text\/csv/);
    expect(csv.headers['content-disposition']).toBe('attachment; filename="formulas.csv"');
    const rows = rowsOf(csv.text);
    expect(rows).toEqual([
      {
        ...{ formulaId: id, formula: "'=cmd|x", project: "'@项目", description: '', version: '1' },
        ...{ versionDescription: '', phase: "'=A", phaseOrder: '3', ingredientId },
        ...{ inciName: ingredient.inciName, chineseName: ingredient.chineseName, supplier: "'-supplier" },
        ...{ percentage: '99.9', processNotes: "'+x;'=1\t'@y", profile: '' },
      },
      expect.objectContaining({ percentage: '0.1', processNotes: '' }),
    ]);
    const xlsx = await user.get(`${path}&format=xlsx`).responseType('blob').expect(200);
    const [header, first] = await readSheet(xlsx.body as Buffer);
    expect(header).toEqual(FORMULA_COLUMNS);
    expect(first![FORMULA_COLUMNS.indexOf('processNotes')]).toBe('+x;=1\t@y');
    expect(first![FORMULA_COLUMNS.indexOf('percentage')]).toBe(99.9);
  });

  it('reads every formula once, however many pages there are, with statements by page', async () => {
    const { id: ingredient } = await createIngredient(user);
    const project = await createProject(user);
    const path = `/api/ext/export/formulas?versions=all&projectId=${project.id}`;
    for (let count = 0; count < 26; count++) {
      const { id } = await createFormula(user, phasesOf(ingredient, [100]), { projectId: project.id });
      await user.put(`/api/formulas/${id}/composition`, { phases: phasesOf(ingredient, [100]) }).expect(200);
    }
    const { data } = (await user.get(path).expect(200)).body;
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(26);
    expect(data.every(({ versions }: { versions: unknown[] }) => versions.length === 2)).toBe(true);
    // 52 versions are three pages; the user of the token is the fourth statement.
    expect(await countStatements(() => user.get(path).expect(200))).toBe(4);
  });

  it('says nothing where there is nothing', async () => {
    const project = await createProject(user);
    const path = `/api/ext/export/formulas?projectId=${project.id}`;
    expect((await user.get(path).expect(200)).body).toEqual({ data: [] });
    expect((await user.get(`${path}&format=csv`).expect(200)).text).toBe(
      `\ufeff${FORMULA_COLUMNS.join(',')}\r\n`,
    );
  });

  it('writes one file per client at a time, and a client that leaves makes room', async () => {
    const slow = await new Promise<IncomingMessage>((resolve, reject) => {
      const { port } = service.app.getHttpServer().address();
      const headers = { Authorization: `Bearer ${user.token}` };
      get({ port, path: '/api/ext/export/formulas', headers }, resolve).on('error', reject);
    });
    slow.destroy();
    await user.get('/api/ext/export/formulas').expect(200);
  });
});

describe.each([
  ['ingredients', 'inciName'],
  ['colors', 'name'],
])('GET /api/ext/export/%s', (kind, name) => {
  it('writes what an import takes back', async () => {
    await createIngredient(user, { inciName: '=Export', supplier: null });
    await user
      .post('/api/color/formulas', {
        name: '=Export',
        targetLab: { L: 1, a: 2, b: 3 },
        colorantComposition: { x: 1 },
      })
      .expect(201);
    const path = `/api/ext/export/${kind}`;
    const { data } = (await user.get(path).expect(200)).body;
    expect(data).toContainEqual(expect.objectContaining({ [name]: '=Export', id: expect.any(String) }));
    expect(data[0]).not.toHaveProperty('sortName');
    const csv = await user.get(`${path}?format=csv`).expect(200);
    expect(rowsOf(csv.text)).toContainEqual(expect.objectContaining({ [name]: "'=Export" }));
    expect(rowsOf(csv.text)).toHaveLength(data.length);
  });
});
