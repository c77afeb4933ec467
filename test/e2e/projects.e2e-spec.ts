import { DataSource } from 'typeorm';
import { UsersRepository } from '../../src/users/users.repository';
import {
  expectDeleted,
  expectError,
  expectKeys,
  FORBIDDEN,
  NOWHERE,
  TIMESTAMP,
  UNAUTHORIZED,
  UUID,
} from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

const NOT_FOUND = '项目不存在';
const KEYS = ['id', 'name', 'description', 'createdBy', 'createdAt'];

let service: TestApp;
let user: Account;
let other: Account;
let admin: Account;
let database: DataSource;

beforeAll(async () => {
  service = await bootApp();
  [user, other, admin] = [await service.register(), await service.register(), await service.register()];
  await service.app.get(UsersRepository).setRole(admin.username, 'admin');
  database = service.app.get(DataSource);
});

afterAll(() => service.close());

describe('POST /api/projects', () => {
  it('answers with exactly the record, without a count', async () => {
    const { status, body } = await user.post('/api/projects', { name: '春季护肤', description: '面霜' });
    expect(status).toBe(201);
    expectKeys(body, ['data']);
    expectKeys(body.data, KEYS);
    expect(body.data).toEqual({
      id: expect.stringMatching(UUID),
      name: '春季护肤',
      description: '面霜',
      createdBy: user.id,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect((await user.get(`/api/projects/${body.data.id}`).expect(200)).body).toEqual(body);
  });

  it('takes null and absent descriptions alike', async () => {
    expect((await createProject(user)).description).toBeNull();
    expect((await createProject(user, { description: null })).description).toBeNull();
  });

  it('trims names and measures them so', async () => {
    const name = '长'.repeat(200);
    expect((await createProject(user, { name: `  ${name}\n` })).name).toBe(name);
  });

  it.each([
    [{}, 'name: 不能为空'],
    [{ name: null }, 'name: 不能为空'],
    [{ name: '  ' }, 'name: 不能为空'],
    [{ name: 1 }, 'name: 必须是字符串'],
    [{ name: 'x'.repeat(201) }, 'name: 不能超过200个字符'],
    [{ name: 'x', description: 1 }, 'description: 必须是字符串'],
    [{ name: 'x', description: 'x'.repeat(2001) }, 'description: 不能超过2000个字符'],
    [{ description: [] }, 'name: 不能为空; description: 必须是字符串'],
  ])('refuses %j', async (body, error) => {
    expectError(await user.post('/api/projects', body), 400, error);
  });

  it('ignores unknown fields, the owner included', async () => {
    const project = await createProject(user, { createdBy: other.id, id: NOWHERE, colour: 'red' });
    expectKeys(project, KEYS);
    expect(project).toMatchObject({ createdBy: user.id, id: expect.not.stringMatching(NOWHERE) });
  });
});

describe('GET /api/projects/:id', () => {
  it('shows anybody’s project to anybody signed in', async () => {
    const project = await createProject(user);
    const { body } = await other.get(`/api/projects/${project.id}`).expect(200);
    expect(body).toEqual({ data: project });
  });

  it.each([NOWHERE, 'x'])('%s: 404', async (id) => {
    expectError(await user.get(`/api/projects/${id}`), 404, NOT_FOUND);
  });
});

describe('PUT /api/projects/:id', () => {
  it('changes what is there, null clears, {} changes nothing', async () => {
    const project = await createProject(user, { name: '甲', description: '乙' });
    const put = async (body: object) =>
      (await user.put(`/api/projects/${project.id}`, body).expect(200)).body;
    expect(await put({})).toEqual({ data: project });
    expect(await put({ name: ' 丙 ' })).toEqual({ data: { ...project, name: '丙' } });
    expect(await put({ description: null, name: '丙', createdBy: other.id })).toEqual({
      data: { ...project, name: '丙', description: null },
    });
    expect((await user.get(`/api/projects/${project.id}`)).body.data.description).toBeNull();
  });

  it.each([
    [{ name: null }, 'name: 不能为空'],
    [{ name: ' ' }, 'name: 不能为空'],
    [{ description: 5 }, 'description: 必须是字符串'],
  ])('refuses %j', async (body, error) => {
    const project = await createProject(user);
    expectError(await user.put(`/api/projects/${project.id}`, body), 400, error);
  });

  it('answers in order: 401, 400, 404, 403', async () => {
    const { id } = await createProject(user);
    expectError(await service.http.put('/api/projects/x').send({ name: '' }), 401, UNAUTHORIZED);
    expectError(await other.put(`/api/projects/${id}`, { name: '' }), 400, 'name: 不能为空');
    expectError(await other.put('/api/projects/x', { name: '' }), 400, 'name: 不能为空');
    expectError(await other.put(`/api/projects/${NOWHERE}`, { name: 'x' }), 404, NOT_FOUND);
    expectError(await other.put('/api/projects/x', { name: 'x' }), 404, NOT_FOUND);
    expectError(await other.put(`/api/projects/${id}`, { name: 'x' }), 403, FORBIDDEN);
    expectError(await other.put(`/api/projects/${id}`, {}), 403, FORBIDDEN);
  });

  it('is for its creator and admins, and stays its creator’s', async () => {
    const { id } = await createProject(user);
    const { body } = await admin.put(`/api/projects/${id}`, { name: '管理员改名' }).expect(200);
    expect(body.data).toMatchObject({ name: '管理员改名', createdBy: user.id });
  });
});

describe('DELETE /api/projects/:id', () => {
  it('leaves its formulas without a project, and otherwise as they were', async () => {
    const project = await createProject(user);
    const { id: ingredientId } = await createIngredient(other);
    const formula = await createFormula(other, wholeOf(ingredientId), { projectId: project.id });
    expect(formula.project).toEqual({ id: project.id, name: project.name });
    expectDeleted(await user.delete(`/api/projects/${project.id}`));
    const { body } = await other.get(`/api/formulas/${formula.id}`).expect(200);
    expect(body.data).toEqual({ ...formula, projectId: null, project: null });
    expectError(await user.get(`/api/projects/${project.id}`), 404, NOT_FOUND);
  });

  it('answers in order: 401, 404, 403', async () => {
    const { id } = await createProject(user);
    expectError(await service.http.delete('/api/projects/x'), 401, UNAUTHORIZED);
    expectError(await other.delete('/api/projects/x'), 404, NOT_FOUND);
    expectError(await other.delete(`/api/projects/${NOWHERE}`), 404, NOT_FOUND);
    expectError(await other.delete(`/api/projects/${id}`), 403, FORBIDDEN);
    await user.get(`/api/projects/${id}`).expect(200);
    expectDeleted(await admin.delete(`/api/projects/${id}`));
    expectError(await user.delete(`/api/projects/${id}`), 404, NOT_FOUND);
  });
});

describe('GET /api/projects', () => {
  it('lists all, newest first, each with its count, without pagination', async () => {
    await database.query('DELETE FROM formulas');
    await database.query('DELETE FROM projects');
    expect((await user.get('/api/projects').expect(200)).body).toEqual({ data: [] });

    const empty = await createProject(user, { name: '空' });
    const full = await createProject(other, { name: '满' });
    const { id: ingredientId } = await createIngredient(user);
    await createFormula(user, wholeOf(ingredientId), { projectId: full.id });
    const revised = await createFormula(other, wholeOf(ingredientId), { projectId: full.id });
    await other.put(`/api/formulas/${revised.id}/composition`, { phases: wholeOf(ingredientId) }).expect(200);
    await createFormula(user, wholeOf(ingredientId));

    const { body } = await user.get('/api/projects').expect(200);
    expect(body).toEqual({
      data: [
        { ...full, _count: { formulas: 2 } },
        { ...empty, _count: { formulas: 0 } },
      ],
    });
    for (const project of body.data) {
      expectKeys(project, [...KEYS, '_count']);
      expectKeys(project._count, ['formulas']);
    }
  });

  it('breaks ties by id', async () => {
    await database.query(
      `INSERT INTO projects (name, created_by, created_at)
       SELECT '并列', $1, '2020-01-01' FROM generate_series(1, 20)`,
      [user.id],
    );
    const { body } = await user.get('/api/projects').expect(200);
    const ids = body.data
      .filter(({ name }: { name: string }) => name === '并列')
      .map((p: { id: string }) => p.id);
    expect(ids).toHaveLength(20);
    expect(ids).toEqual(ids.toSorted());
  });

  it('takes the same two statements however many there are', async () => {
    expect(await countStatements(async () => user.get('/api/projects').expect(200))).toBe(2);
  });
});
