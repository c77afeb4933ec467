import { Body, Controller, Get, HttpCode, Injectable, Module, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { of } from 'rxjs';
import {
  AccessPolicy,
  ApiErrors,
  ApiRecord,
  AppModule,
  ConflictError,
  type CurrentUser,
  CUSTOM_ACCESS_POLICY,
  DatabaseService,
  EXTRA_MIGRATIONS,
  FormulasModule,
  FormulasService,
  NotFoundError,
  type OwnedRecord,
  Public,
  record,
  streamOpened,
  StreamsEvents,
  TextField,
  TransactionManager,
  User,
  UuidField,
  violates,
} from '../../src/index';
import { type Account, bootApp, type TestApp } from '../support/app';

/*
 * What a company builds on top of the service, in a folder of its own: a table, a route under /api/ext, a
 * rule of its own about who may change what. It imports from the public surface only.
 */

class AddLabelDto {
  @UuidField({ description: 'A formula' })
  formulaId!: string;

  @TextField({ max: 20, trim: true, example: '待审核' })
  label!: string;
}

class LabelDto {
  @ApiProperty({ example: '待审核' })
  label!: string;

  @ApiProperty({ description: "The formula's name", example: '保湿霜' })
  formula!: string;

  @ApiProperty({ description: 'Who put it there', example: 'lin' })
  by!: string;
}

const ADD = {
  name: 'labels.add',
  text: 'INSERT INTO formula_labels (formula_id, label) VALUES ($1, $2)',
};

@Injectable()
class LabelsService {
  constructor(
    private readonly formulas: FormulasService,
    private readonly database: DatabaseService,
    private readonly transactions: TransactionManager,
  ) {}

  async add(user: CurrentUser, { formulaId, label }: AddLabelDto): Promise<LabelDto> {
    const formula = (await this.formulas.get(user, formulaId)).parse();
    try {
      await this.transactions.run(() => this.database.query(ADD, [formulaId, label]));
    } catch (error) {
      throw violates(error, 'uq_formula_labels') ? new ConflictError('标签已存在') : error;
    }
    return { label, formula: formula.name, by: user.username };
  }
}

@ApiTags('labels')
@Controller('ext/labels')
class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  @Post()
  @ApiRecord(LabelDto, 201)
  @ApiErrors({ 409: '标签已存在' })
  async add(@User() user: CurrentUser, @Body() input: AddLabelDto) {
    return record(await this.labels.add(user, input));
  }

  /** As an event stream, in a module that does not import the AI's. */
  @Post('stream')
  @StreamsEvents()
  stream(@Body() { label }: AddLabelDto) {
    if (label === '无') throw new NotFoundError('标签不存在');
    return of({ type: 'label', label }).pipe(streamOpened());
  }

  @Public()
  @Get('about')
  @HttpCode(200)
  about() {
    throw new NotFoundError('标签不存在');
  }
}

@Module({ imports: [FormulasModule], controllers: [LabelsController], providers: [LabelsService] })
class LabelsModule {}

class FormulaLabels1800000000000 {
  name = 'FormulaLabels1800000000000';

  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(`
      CREATE TABLE formula_labels (
        formula_id uuid NOT NULL,
        label text NOT NULL,
        CONSTRAINT uq_formula_labels UNIQUE (formula_id, label),
        CONSTRAINT fk_formula_labels_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query('DROP TABLE formula_labels');
  }
}

/** In this company colleagues may change each other's records, unless these are locked by their name. */
class TeamPolicy extends AccessPolicy {
  readonly asked: OwnedRecord[] = [];

  canChange(user: CurrentUser, owned: OwnedRecord): boolean {
    this.asked.push(owned);
    return !user.username.startsWith('guest');
  }

  canConfigure(): boolean {
    return false;
  }
}

describe('An extension', () => {
  let app: TestApp;
  let policy: TeamPolicy;
  let lin: Account;
  let wang: Account;
  let guest: Account;
  let formulaId: string;

  beforeAll(async () => {
    policy = new TeamPolicy();
    app = await bootApp({
      module: {
        imports: [
          AppModule.register({
            extensions: [LabelsModule],
            providers: [
              { provide: CUSTOM_ACCESS_POLICY, useValue: policy },
              { provide: EXTRA_MIGRATIONS, useValue: [FormulaLabels1800000000000] },
            ],
          }),
        ],
      },
    });
    [lin, wang, guest] = await Promise.all([
      app.register('lin'),
      app.register('wang'),
      app.register('guest-1'),
    ]);
    const ingredient = await lin.post('/api/ingredients', {
      inciName: 'Aqua',
      chineseName: '水',
      functionCategory: 'other',
    });
    const formula = await lin.post('/api/formulas', {
      name: '保湿霜',
      phases: [
        {
          name: '水相',
          sortOrder: 1,
          ingredients: [{ ingredientId: ingredient.body.data.id, percentage: 100 }],
        },
      ],
    });
    formulaId = formula.body.data.id;
  });
  afterAll(() => app.close());

  it('adds a route that is guarded, validated and answered like all others', async () => {
    const path = '/api/ext/labels';
    const refused = await app.http.post(path).send({});
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ error: '未登录或登录已过期', statusCode: 401 });
    const invalid = await wang.post(path, { formulaId, label: ' ' });
    expect(invalid.status).toBe(400);
    expect(invalid.body).toEqual({ error: 'label: 不能为空', statusCode: 400 });
    const missing = await wang.post(path, { formulaId: '00000000-0000-0000-0000-000000000000', label: 'x' });
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ error: '配方不存在', statusCode: 404 });
    const open = await app.http.get(`${path}/about`);
    expect(open.body).toEqual({ error: '标签不存在', statusCode: 404 });
    expect(open.headers['x-ratelimit-limit']).toBeDefined();
  });

  it('may answer with an event stream; errors before it are JSON', async () => {
    const path = '/api/ext/labels/stream';
    const { headers, text } = await wang.post(path, { formulaId, label: '待审核' }).buffer(true).expect(200);
    expect(headers['content-type']).toBe('text/event-stream');
    expect(text).toBe('data: {"type":"label","label":"待审核"}\n\n');
    const missing = await wang.post(path, { formulaId, label: '无' });
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ error: '标签不存在', statusCode: 404 });
  });

  it('uses the services and the database, with a table of its own', async () => {
    const added = await wang.post('/api/ext/labels', { formulaId, label: ' 待审核 ' });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({ data: { label: '待审核', formula: '保湿霜', by: 'wang' } });
    const again = await lin.post('/api/ext/labels', { formulaId, label: '待审核' });
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ error: '标签已存在', statusCode: 409 });
  });

  it('replaces the rules of who may change what', async () => {
    const byColleague = await wang.put(`/api/formulas/${formulaId}`, { description: '由同事修改' });
    expect(byColleague.status).toBe(200);
    const byGuest = await guest.put(`/api/formulas/${formulaId}`, { description: '不' });
    expect(byGuest.status).toBe(403);
    expect(byGuest.body).toEqual({ error: '无权限执行此操作', statusCode: 403 });
    expect(policy.asked).toContainEqual({ kind: 'formula', id: formulaId, createdBy: lin.id });
    expect((await lin.put('/api/config', { aiMock: 'true' })).status).toBe(403);
  });

  it('is in the OpenAPI document with what holds for every route', async () => {
    const { body } = await app.http.get('/api/docs-json').expect(200);
    const operation = body.paths['/api/ext/labels'].post;
    expect(operation.security).toEqual([{ bearer: [] }]);
    expect(Object.keys(operation.responses)).toEqual([
      '201',
      '400',
      '401',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(body.paths['/api/ext/labels/about'].get.security).toEqual([]);
  });

  it('leaves the contract as it is: without it there is neither its route nor its rule', async () => {
    const plain = await bootApp();
    try {
      const one = await plain.register();
      expect((await one.post('/api/ext/labels', {})).status).toBe(404);
      expect((await one.put('/api/config', { aiMock: 'true' })).status).toBe(200);
    } finally {
      await plain.close();
    }
  });

  it('imports nothing of the service but its public surface', () => {
    const own = readFileSync(__filename, 'utf8');
    const imported = [...own.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => path);
    expect(imported).toEqual(['../../src/index', '../support/app']);
  });
});
