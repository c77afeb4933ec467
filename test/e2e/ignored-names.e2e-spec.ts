import { Body, Controller, Get, Module, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AppModule } from '../../src/app.module';
import { PageQuery } from '../../src/platform/common/pagination';
import { TextField } from '../../src/platform/validation/fields';
import { QueryTextField } from '../../src/platform/validation/query-fields';
import { type Account, bootApp, type TestApp } from '../support/app';
import { expectError } from '../support/answers';
import { createFormula, createIngredient, ingredientInput, wholeOf } from '../support/factories';

class TeamQuery {
  @QueryTextField({ max: 20 })
  team?: string;
}

class NoteDto {
  @TextField({ max: 20 })
  note!: string;
}

@Controller('ext/notes')
class NotesController {
  @Get('classes')
  classes(@Query() { page }: PageQuery, @Query() { team }: TeamQuery, @Query('kind') kind: string) {
    return { page, team, kind };
  }

  @Get('by-itself')
  byItself(@Req() { query }: Request) {
    return { ...query };
  }

  @Post()
  add(@Body() input: NoteDto) {
    return { ...input };
  }
}

@Module({ controllers: [NotesController] })
class NotesModule {}

let service: TestApp;
let user: Account;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [NotesModule] })] } });
  user = await service.register();
});

afterAll(() => service.close());

/** What an answer says was ignored: of the body, of the query. */
const ignoredIn = ({ headers }: { headers: Record<string, string> }) => [
  headers['x-ignored-fields'],
  headers['x-ignored-parameters'],
];

describe('fields that nothing reads', () => {
  it('are stripped and named, wherever they stand, without indexes and without values', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const line = { ingredientId, percentage: 50, note: 'a secret' };
    const phase = { name: '相', sortOrder: 1, colour: 'red', ingredients: [line, { ...line, other: 1 }] };
    const answer = await user.post('/api/formulas', { name: '名', phases: [phase], version: 3 });
    expect(answer.status).toBe(201);
    expect(ignoredIn(answer)).toEqual([
      ['phases.colour', 'phases.ingredients.note', 'phases.ingredients.other', 'version'].join(', '),
      undefined,
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('are those that this route does not read', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const formula = await createFormula(user, wholeOf(ingredientId));
    const metadata = await user.put(`/api/formulas/${formula.id}`, { name: '新', projectId: null });
    expect(ignoredIn(metadata)).toEqual(['projectId', undefined]);
    const revision = { phases: wholeOf(ingredientId), name: '新', description: '说明' };
    expect(ignoredIn(await user.put(`/api/formulas/${formula.id}/composition`, revision))).toEqual([
      'name',
      undefined,
    ]);
  });

  it('are named by errors too, and on public routes', async () => {
    const invalid = await user.post('/api/ingredients', { inciName: '', colour: 'red' });
    expect(invalid.status).toBe(400);
    expect(ignoredIn(invalid)).toEqual(['colour', undefined]);
    const login = await service.http.post('/api/auth/login').send({ username: '', role: 'admin' });
    expectError(login, 400, '用户名不能为空');
    expect(ignoredIn(login)).toEqual(['role', undefined]);
    const stream = await user.post('/api/ai/explore-formula', {
      costLimit: 1,
      targetMetrics: { a: 1 },
      model: 'x',
    });
    expect(stream.headers['content-type']).toBe('text/event-stream');
    expect(ignoredIn(stream)).toEqual(['model', undefined]);
  });

  it('are none in free-form JSON, and none where all is read', async () => {
    const color = { targetLab: { L: 1, a: 2, b: 3 }, colorantComposition: { any: [{ thing: 1 }] } };
    const stored = await user.post('/api/color/formulas', color);
    expect(stored.status).toBe(201);
    expect(ignoredIn(stored)).toEqual([undefined, undefined]);
    expect(ignoredIn(await user.post('/api/ingredients', ingredientInput()))).toEqual([undefined, undefined]);
  });

  it('are the first ten of any number, in a header that is safe', async () => {
    const names = ['名\r\nX-Forged: 1', '', ...Array.from({ length: 45_000 }, (_, index) => `f${index}`)];
    const many = Object.fromEntries(names.map((name) => [name, 1]));
    const answer = await user.post('/api/ingredients', { ...ingredientInput(), ...many });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-forged']).toBeUndefined();
    const told = answer.headers['x-ignored-fields']!.split(', ');
    expect(told.slice(0, 2)).toEqual(['%E5%90%8D%0D%0AX-Forged%3A%201', 'f0']);
    expect(told).toHaveLength(9);
  });
});

describe('parameters that nothing reads', () => {
  it.each([
    ['/api/ingredients?createdBy=x&search=', 'createdBy'],
    ['/api/ingredients?foo[]=1', 'foo%5B%5D'],
    ['/api/formulas?limit=5&project=a&tag=b', 'project, tag'],
    // Neither of them reads any.
    ['/api/projects?page=2&search=x', 'page, search'],
    ['/api/health?deep=true', 'deep'],
    ['/api/formulas?limit=5&sortOrder=asc', undefined],
  ])('of %s are %s', async (path, ignored) => {
    const answer = await user.get(path);
    expect(answer.status).toBe(200);
    expect(ignoredIn(answer)).toEqual([undefined, ignored]);
  });

  it('are named by errors, and beside the fields of a body', async () => {
    const missing = await user.get('/api/ingredients/x?include=formulas');
    expectError(missing, 404, '成分不存在');
    expect(ignoredIn(missing)).toEqual([undefined, 'include']);
    const created = await user.post('/api/projects?dry=1', { name: '名', owner: 'x' });
    expect(ignoredIn(created)).toEqual(['owner', 'dry']);
  });
});

describe('a filter with brackets', () => {
  it.each([
    ['/api/ingredients?search[]=a', 'search: 必须是字符串'],
    ['/api/ingredients?search%5B%5D=a', 'search: 必须是字符串'],
    ['/api/ingredients?search[x]=a', 'search: 必须是字符串'],
    ['/api/ingredients?search=a&search[]=b', 'search: 必须是字符串'],
    ['/api/ingredients?page[]=2', 'page: 必须是整数'],
    ['/api/ingredients?page=1&page=2', 'page: 必须是整数'],
    ['/api/formulas?search[0]=a&limit[]=5', 'search: 必须是字符串; limit: 必须是整数'],
    ['/api/formulas?sortBy[]=name', 'sortBy: 必须是以下值之一: createdAt, updatedAt, name'],
    ['/api/color/formulas/match?L=1&a[]=1&b=1', 'a: 必须是数字'],
    ['/api/color/library?search[]=a', 'search: 必须是字符串'],
    ['/api/ai/search?q[]=a', 'q: 必须是字符串'],
    ['/api/ext/notes/classes?team[]=a', 'team: 必须是字符串'],
  ])('is refused: %s', async (path, error) => {
    const answer = await user.get(path);
    expectError(answer, 400, error);
    expect(ignoredIn(answer)).toEqual([undefined, undefined]);
  });

  it('that is empty counts as absent', async () => {
    const answer = await user.get('/api/ingredients?search[]=&page[]=&category=');
    expect(answer.status).toBe(200);
    expect(ignoredIn(answer)).toEqual([undefined, undefined]);
    expectError(await user.get('/api/ai/search?q[]='), 400, 'q: 不能为空');
  });
});

describe('routes of an extension', () => {
  it('name what none of their classes and parameters reads', async () => {
    const answer = await user.get('/api/ext/notes/classes?page=2&team=a&kind=k&other=1');
    expect(answer.body).toEqual({ page: 2, team: 'a', kind: 'k' });
    expect(ignoredIn(answer)).toEqual([undefined, 'other']);
    const all = await user.get('/api/ext/notes/classes?kind=k&team=a');
    expect(ignoredIn(all)).toEqual([undefined, undefined]);
    expect(ignoredIn(await user.post('/api/ext/notes', { note: 'a', more: 1 }))).toEqual(['more', undefined]);
  });

  it('that look into the query themselves name nothing', async () => {
    const answer = await user.get('/api/ext/notes/by-itself?any=1');
    expect(answer.body).toEqual({ any: '1' });
    expect(ignoredIn(answer)).toEqual([undefined, undefined]);
  });
});
