import { randomUUID } from 'node:crypto';
import { Controller, Get, Injectable, Logger, Module, Param } from '@nestjs/common';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  DatabaseService,
  EXTRA_MIGRATIONS,
  ForbiddenError,
  NotFoundError,
  PathId,
  type ReadableRecords,
  type ReadValues,
  RowFilterService,
  record,
  RECORD_KINDS,
  User,
} from '../../src';
import { FUNCTION_CATEGORIES } from '../../src/ingredients/function-category';
import { ProjectsRepository } from '../../src/projects/projects.repository';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { recordStatements } from '../support/statements';

/** Teams of users, and of ingredients, which have no creator; those of no team are everybody's. */
class Teams1790000000000 implements MigrationInterface {
  name = 'Teams1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE ext_team_members (user_id uuid PRIMARY KEY, team text NOT NULL)`);
    await runner.query(
      `CREATE TABLE ext_team_ingredients (ingredient_id uuid PRIMARY KEY, team text NOT NULL)`,
    );
    await runner.query(`CREATE TABLE ext_batches (id uuid PRIMARY KEY, team text NOT NULL, formula_id uuid)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_batches, ext_team_ingredients, ext_team_members');
  }
}

@Injectable()
class TeamPolicy extends AccessPolicy {
  /** What is answered instead of the team's values. */
  static instead: (() => ReadValues) | undefined;
  static readonly refused = new Set<string>();

  constructor(private readonly database: DatabaseService) {
    super();
  }

  canChange = () => true;
  canConfigure = () => true;
  override canCreate = (_: CurrentUser, kind: string) => !TeamPolicy.refused.has(kind);
  override canUse = (_: CurrentUser, action: string) => Promise.resolve(!TeamPolicy.refused.has(action));

  override readable(): ReadableRecords {
    const byCreator = (row: string, [team]: readonly string[]) =>
      `EXISTS (SELECT FROM ext_team_members m WHERE m.user_id = ${row}.created_by AND m.team = ${team})`;
    return {
      types: ['text'],
      values: async (user) => {
        if (TeamPolicy.instead) return TeamPolicy.instead();
        const [member] = await this.database.query<{ team: string }>(
          { name: 'ext-teams.of', text: 'SELECT team FROM ext_team_members WHERE user_id = $1' },
          [user.id],
        );
        return member ? [member.team] : 'everything';
      },
      conditions: {
        formula: byCreator,
        project: byCreator,
        color: byCreator,
        ingredient: (row, [team]) => `NOT EXISTS (
          SELECT FROM ext_team_ingredients t WHERE t.ingredient_id = ${row}.id AND t.team <> ${team})`,
        batch: (row, [team]) => `${row}.team = ${team}`,
      },
    };
  }
}

@Controller('ext/batches')
class BatchesController {
  constructor(
    private readonly database: DatabaseService,
    private readonly rowFilters: RowFilterService,
  ) {}

  @Get(':id')
  async get(@Param('id', PathId) id: string, @User() user: CurrentUser) {
    const filter = await this.rowFilters.of(user);
    const batchFilter = filter.for('batch', 'b', 2);
    const formulaFilter = filter.for('formula', 'f', 2 + batchFilter.values.length);
    const [batch] = await this.database.query(
      {
        name: filter.named('ext-batches.read'),
        text: `SELECT b.id, f.name FROM ext_batches b
               LEFT JOIN formulas f ON f.id = b.formula_id AND ${formulaFilter.sql}
               WHERE b.id = $1 AND ${batchFilter.sql}`,
      },
      [id, ...batchFilter.values, ...formulaFilter.values],
    );
    if (!batch) throw new NotFoundError('批次不存在');
    return record(batch);
  }
}

@Module({
  controllers: [BatchesController],
  providers: [
    { provide: CUSTOM_ACCESS_POLICY, useClass: TeamPolicy },
    { provide: EXTRA_MIGRATIONS, useValue: [Teams1790000000000] },
    { provide: RECORD_KINDS, useValue: { batch: 'ext_batches' } },
  ],
})
class TeamsModule {}

let service: TestApp;
let database: DataSource;
/** Of the two teams. */
let ada: Account;
let bo: Account;
/** Of none: she reads everything. */
let admin: Account;

const join = (user: Account, team: string) =>
  database.query('INSERT INTO ext_team_members VALUES ($1, $2)', [user.id, team]);

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [TeamsModule] })] } });
  database = service.app.get(DataSource);
  ada = await service.register();
  bo = await service.register();
  admin = await service.register();
  await join(ada, 'ada');
  await join(bo, 'bo');
});
afterAll(() => service.close());
afterEach(() => {
  TeamPolicy.instead = undefined;
  TeamPolicy.refused.clear();
});

/** A thousand words that are more like `zephyrote` than `zephyrite` is: more than are looked at. */
const crowdingWords = (texts: number): string[] =>
  Array.from({ length: texts }, (_, text) =>
    Array.from({ length: 181 }, (_, word) => {
      const at = text * 181 + word;
      return `zephyrot${String.fromCharCode(97 + (Math.floor(at / 26) % 26), 97 + (at % 26))}${at < 676 ? '' : 'q'}`;
    })
      .join(' ')
      .slice(0, 2000),
  );

/** What a team has. */
interface Records {
  formula: string;
  project: string;
  ingredient: string;
  color: string;
  batch: string;
  /** A deleted formula. */
  trashed: string;
}

const LAB = { L: 50, a: 20, b: 10 };

const substancesOf = (name: string) => ({
  substances: [{ inciName: `${name} Substance`, chineseName: `${name} 物质`, percentage: 100 }],
});

const namesOf = (name: string) => ({
  casNumbers: ['56-81-5'],
  ecNumbers: [],
  synonyms: [`${name} Synonym`],
  tradeNames: [],
});

const PROFILE = { productType: 'lip', markets: ['demo', 'eu'], packSize: { amount: 4, unit: 'g' } };
const cardOf = (name: string) => ({
  suppliers: [{ name: `${name} Supplier`, code: name, price: 12, preferred: true }],
  documents: [{ kind: 'certificate', title: `${name} Certificate`, validUntil: '2027-03-31' }],
  density: 1.1,
});

/** One of each kind; `shared` is an ingredient that is everybody's. */
async function recordsOf(user: Account, team: string, shared: string, name: string): Promise<Records> {
  const project = (await createProject(user, { name: `${name} 项目` })) as { id: string };
  const ingredient = await createIngredient(user, {
    inciName: `${name} Bisabolol`,
    chineseName: `${name} 红没药`,
    functionCategory: 'antioxidant',
  });
  await user.put(`/api/ext/ingredients/${ingredient.id}/composition`, substancesOf(name)).expect(200);
  await user.put(`/api/ext/ingredients/${ingredient.id}/names`, namesOf(name)).expect(200);
  await user.put(`/api/ext/ingredients/${ingredient.id}/card`, cardOf(name)).expect(200);
  await database.query('INSERT INTO ext_team_ingredients VALUES ($1, $2)', [ingredient.id, team]);
  const phases = [
    {
      name: '相',
      sortOrder: 1,
      ingredients: [
        { ingredientId: shared, percentage: 60 },
        { ingredientId: ingredient.id, percentage: 40 },
      ],
    },
  ];
  const formula = (await createFormula(user, phases, {
    name: `${name} Cream`,
    description: `${name} 面霜`,
    projectId: project.id,
  })) as { id: string };
  const { id: trashed } = (await createFormula(user, wholeOf(shared), { name: `${name} Waste` })) as {
    id: string;
  };
  await user.put(`/api/ext/formulas/${formula.id}/profile`, PROFILE).expect(200);
  await user.delete(`/api/formulas/${trashed}`).expect(204);
  const color = await user
    .post('/api/color/formulas', { name: `${name} Rose`, targetLab: LAB, formulaId: formula.id })
    .expect(201);
  const batch = randomUUID();
  await database.query('INSERT INTO ext_batches VALUES ($1, $2, $3)', [batch, team, formula.id]);
  return {
    formula: formula.id,
    project: project.id,
    ingredient: ingredient.id,
    color: color.body.data.id as string,
    batch,
    trashed,
  };
}

/** A record that was created, and is taken away again. */
async function undone(answer: { status: number; body: { data?: { id: string } } }, path: string) {
  if (answer.status !== 201) return answer;
  const { id } = answer.body.data!;
  await bo.delete(`${path}/${id}`).expect(204);
  if (path === '/api/formulas') await bo.delete(`/api/ext/trash/${id}`).expect(204);
  return answer;
}

type Answer = PromiseLike<{ status: number; text: string }>;

const SEARCHED = [
  'cream',
  'creem',
  'creem m',
  'crem rich',
  'm',
  '面',
  'alfa',
  'alpha',
  'alphb',
  'cream alpha',
  'zephyrote',
];

/** The walk is repeated: nothing may be different the second time. */
const importedBy = (account: Account, path: string, csv: string) =>
  account.post(`/api/ext/import/${path}`).query({ dryRun: 'true' }).set('Content-Type', 'text/csv').send(csv);

/**
 * What a user asks of each route, told apart only by the ids: his own, and others that he may not see or that
 * do not exist. A route that is not here is a test that fails.
 */
const WALK: Record<string, (own: Records, other: Records) => Answer[]> = {
  'GET /api/health': () => [bo.get('/api/health')],
  'GET /api/ext/live': () => [bo.get('/api/ext/live')],
  'POST /api/auth/register': () => [bo.post('/api/auth/register', {})],
  'POST /api/auth/login': () => [bo.post('/api/auth/login', {})],
  'GET /api/auth/me': () => [bo.get('/api/auth/me')],
  'GET /api/docs-json': () => [bo.get('/api/docs-json')],
  'GET /api/docs': () => [bo.get('/api/docs')],
  'GET /api/ext/ai/providers': () => [bo.get('/api/ext/ai/providers')],
  'GET /api/config': () => [bo.get('/api/config')],
  'PUT /api/config': () => [bo.put('/api/config', {})],
  'POST /api/config/test': () => [bo.post('/api/config/test', { provider: 'alpha' })],
  'GET /api/ingredients': () =>
    ['', 'category=antioxidant', 'page=2&limit=1']
      .flatMap((query) => [query, ...SEARCHED.map((text) => `${query}&search=${encodeURIComponent(text)}`)])
      .concat('search=bisabolol', 'search=红', 'search=bisabolol&category=antioxidant')
      .map((query) => bo.get(`/api/ingredients?${encodeURI(query)}`)),
  'GET /api/ingredients/:id': (own, other) => [
    bo.get(`/api/ingredients/${own.ingredient}`),
    bo.get(`/api/ingredients/${other.ingredient}`),
  ],
  'POST /api/ingredients': () => [
    bo
      .post('/api/ingredients', { inciName: 'Alpha Bisabolol', chineseName: 'x', functionCategory: 'other' })
      .then((answer) => undone(answer, '/api/ingredients') as unknown as Answer),
  ],
  'PUT /api/ingredients/:id': (own, other) => [
    bo.put(`/api/ingredients/${own.ingredient}`, {}),
    bo.put(`/api/ingredients/${other.ingredient}`, {}),
    bo.put(`/api/ingredients/${other.ingredient}`, { supplier: 'bo' }),
  ],
  'DELETE /api/ingredients/:id': (own, other) => [
    bo.delete(`/api/ingredients/${own.ingredient}`),
    bo.delete(`/api/ingredients/${other.ingredient}`),
  ],
  'GET /api/projects': () => [bo.get('/api/projects')],
  'GET /api/projects/:id': (own, other) => [
    bo.get(`/api/projects/${own.project}`),
    bo.get(`/api/projects/${other.project}`),
  ],
  'POST /api/projects': () => [
    bo
      .post('/api/projects', { name: 'Alpha 项目' })
      .then((answer) => undone(answer, '/api/projects') as unknown as Answer),
  ],
  'PUT /api/projects/:id': (own, other) => [
    bo.put(`/api/projects/${own.project}`, {}),
    bo.put(`/api/projects/${other.project}`, {}),
    bo.put(`/api/projects/${other.project}`, { name: 'bo' }),
  ],
  'DELETE /api/projects/:id': (_, other) => [bo.delete(`/api/projects/${other.project}`)],
  'GET /api/formulas': () =>
    ['createdAt', 'updatedAt', 'name'].flatMap((sortBy) =>
      ['asc', 'desc'].flatMap((sortOrder) => {
        const sorted = `/api/formulas?sortBy=${sortBy}&sortOrder=${sortOrder}`;
        return [
          bo.get(sorted),
          bo.get(`${sorted}&limit=1&page=2`),
          bo.get(`${sorted}&limit=100&page=200`),
          ...SEARCHED.map((text) => bo.get(`${sorted}&search=${encodeURIComponent(text)}`)),
        ];
      }),
    ),
  'GET /api/formulas/:id': (own, other) => [
    bo.get(`/api/formulas/${own.formula}`),
    bo.get(`/api/formulas/${other.formula}`),
  ],
  'POST /api/formulas': (own, other) => {
    const name = 'Alpha';
    const phases = wholeOf(own.ingredient);
    return [
      bo.post('/api/formulas', { name, phases, projectId: other.project }),
      bo.post('/api/formulas', { name, phases: wholeOf(other.ingredient) }),
      bo.post('/api/formulas', { name, phases: wholeOf(other.ingredient), projectId: other.project }),
      bo
        .post('/api/formulas', { name, phases })
        .then((answer) => undone(answer, '/api/formulas') as unknown as Answer),
    ];
  },
  'PUT /api/formulas/:id': (own, other) => [
    bo.put(`/api/formulas/${own.formula}`, {}),
    bo.put(`/api/formulas/${other.formula}`, {}),
    bo.put(`/api/formulas/${other.formula}`, { name: 'bo' }),
  ],
  'PUT /api/formulas/:id/composition': (own, other) => [
    bo.put(`/api/formulas/${own.formula}/composition`, { phases: wholeOf(other.ingredient) }),
    bo.put(`/api/formulas/${other.formula}/composition`, { phases: wholeOf(own.ingredient) }),
  ],
  'DELETE /api/formulas/:id': (_, other) => [bo.delete(`/api/formulas/${other.formula}`)],
  'GET /api/ext/formulas/:id/versions': (own, other) => [
    bo.get(`/api/ext/formulas/${own.formula}/versions`),
    bo.get(`/api/ext/formulas/${other.formula}/versions`),
  ],
  'GET /api/ext/formulas/:id/versions/:number': (own, other) => [
    bo.get(`/api/ext/formulas/${own.formula}/versions/1`),
    bo.get(`/api/ext/formulas/${other.formula}/versions/1`),
  ],
  'PUT /api/ext/formulas/:id/versions/:number': (own, other) => [
    bo.put(`/api/ext/formulas/${own.formula}/versions/1`, { description: null }),
    bo.put(`/api/ext/formulas/${other.formula}/versions/1`, {}),
    bo.put(`/api/ext/formulas/${other.formula}/versions/1`, { description: 'bo' }),
  ],
  'POST /api/ext/formulas/:id/versions/:number/restore': (own, other) => [
    bo.post(`/api/ext/formulas/${own.formula}/versions/2/restore`),
    bo.post(`/api/ext/formulas/${other.formula}/versions/1/restore`),
  ],
  'POST /api/ext/formulas/:id/copy': (own, other) => [
    bo.post(`/api/ext/formulas/${own.formula}/copy`, { projectId: other.project }),
    bo.post(`/api/ext/formulas/${other.formula}/copy`),
    bo
      .post(`/api/ext/formulas/${own.formula}/copy`)
      .then((answer) => undone(answer, '/api/formulas') as unknown as Answer),
  ],
  'GET /api/ext/formulas/:id/compare': (own, other) =>
    ['json', 'html', 'csv'].flatMap((format) => [
      bo.get(`/api/ext/formulas/${own.formula}/compare?from=1&to=1&format=${format}`),
      bo.get(`/api/ext/formulas/${own.formula}/compare?toFormula=${other.formula}&format=${format}`),
      bo.get(`/api/ext/formulas/${other.formula}/compare?toFormula=${own.formula}&format=${format}`),
      bo.get(`/api/ext/formulas/${other.formula}/compare?from=1&to=1&format=${format}`),
    ]),
  'POST /api/color/formulas': (_, other) => [
    bo.post('/api/color/formulas', { targetLab: LAB, formulaId: other.formula }),
  ],
  'GET /api/ext/color/page': () => [bo.get('/api/ext/color/page?L=50&a=20&b=10&limit=20')],
  'GET /api/ext/color/match': () => [
    bo.get('/api/ext/color/match?L=50&a=20&b=10&limit=20'),
    bo.get('/api/ext/color/match?L=50&a=20&b=10&limit=20&unique=true'),
  ],
  'GET /api/ext/color/formulas': (own, other) => [
    bo.get('/api/ext/color/formulas'),
    bo.get('/api/ext/color/formulas?search=Alpha'),
    bo.get('/api/ext/color/formulas?search=m'),
    bo.get(`/api/ext/color/formulas?formulaId=${own.formula}`),
    bo.get(`/api/ext/color/formulas?formulaId=${other.formula}`),
  ],
  'GET /api/ext/color/formulas/:id': (own, other) => [
    bo.get(`/api/ext/color/formulas/${own.color}`),
    bo.get(`/api/ext/color/formulas/${other.color}`),
  ],
  'PUT /api/ext/color/formulas/:id': (own, other) => [
    bo.put(`/api/ext/color/formulas/${own.color}`, {}),
    bo.put(`/api/ext/color/formulas/${own.color}`, { formulaId: other.formula }),
    bo.put(`/api/ext/color/formulas/${other.color}`, { name: 'bo' }),
  ],
  'DELETE /api/ext/color/formulas/:id': (_, other) => [bo.delete(`/api/ext/color/formulas/${other.color}`)],
  'GET /api/color/formulas/match': () => [bo.get('/api/color/formulas/match?L=50&a=20&b=10&limit=20')],
  'POST /api/color/recommend': () => [bo.post('/api/color/recommend', { targetLab: LAB })],
  'GET /api/color/library': () => [
    bo.get('/api/color/library'),
    bo.get('/api/color/library?search=rose'),
    bo.get('/api/color/library?L=50&a=20&b=10'),
  ],
  'POST /api/ai/predict-formula': () => [
    bo.post('/api/ai/predict-formula', {
      ingredients: [{ name: 'Alpha Bisabolol', percentage: 5, category: 'antioxidant' }],
    }),
  ],
  'POST /api/ai/explore-formula': (own, other) => [
    bo.post('/api/ai/explore-formula', { costLimit: 20, baseFormulaId: own.formula }),
    bo.post('/api/ai/explore-formula', { costLimit: 20, baseFormulaId: other.formula }),
  ],
  'POST /api/ai/extract-formula': () => [
    bo.post('/api/ai/extract-formula', { text: 'Alpha Bisabolol 5%\nAlpha 红没药 2%\nBeta Bisabolol 3%' }),
  ],
  'GET /api/ai/search': () =>
    [...SEARCHED, 'bisabolol', '红没药', 'Alpha Bisabolol', '项目', 'rich cream'].map((text) =>
      bo.get(`/api/ai/search?q=${encodeURIComponent(text)}`),
    ),
  // Limits are of no team: everybody may read them, and only admins write them.
  'GET /api/ext/limits/editions': () => [bo.get('/api/ext/limits/editions')],
  'GET /api/ext/limits/editions/:id': (own) => [bo.get(`/api/ext/limits/editions/${own.formula}`)],
  'GET /api/ext/limits/editions/:id/limits': (own) => [
    bo.get(`/api/ext/limits/editions/${own.formula}/limits`),
  ],
  'POST /api/ext/limits/editions': () => [bo.post('/api/ext/limits/editions?edition=X', {})],
  'DELETE /api/ext/limits/editions/:id': (own) => [bo.delete(`/api/ext/limits/editions/${own.formula}`)],
  'PUT /api/ext/limits/editions/:id/default': (own) => [
    bo.put(`/api/ext/limits/editions/${own.formula}/default`, {}),
  ],
  'DELETE /api/ext/limits/editions/:id/default': (own) => [
    bo.delete(`/api/ext/limits/editions/${own.formula}/default`),
  ],
  'GET /api/ext/formulas/:id/cost': (own, other) =>
    [own.formula, other.formula].flatMap((id) =>
      ['', '?version=9', '?format=csv', '?format=html'].map((query) =>
        bo.get(`/api/ext/formulas/${id}/cost${query}`),
      ),
    ),
  'GET /api/ext/formulas/:id/batch': (own, other) =>
    [own.formula, other.formula].flatMap((id) =>
      ['', '?version=9', '?format=csv', '?format=html'].map((query) =>
        bo.get(`/api/ext/formulas/${id}/batch${query}`),
      ),
    ),
  'GET /api/ext/formulas/:id/balance': (own, other) =>
    [own.formula, other.formula].map((id) => bo.get(`/api/ext/formulas/${id}/balance?line=${other.formula}`)),
  'GET /api/ext/ingredients/:id/composition': (own, other) => [
    bo.get(`/api/ext/ingredients/${own.ingredient}/composition`),
    bo.get(`/api/ext/ingredients/${other.ingredient}/composition`),
  ],
  'PUT /api/ext/ingredients/:id/composition': (own, other) => [
    bo.put(`/api/ext/ingredients/${own.ingredient}/composition`, substancesOf('Beta Zephyrite')),
    bo.put(`/api/ext/ingredients/${other.ingredient}/composition`, substancesOf('bo')),
  ],
  'GET /api/ext/ingredients/:id/card': (own, other) => [
    bo.get(`/api/ext/ingredients/${own.ingredient}/card`),
    bo.get(`/api/ext/ingredients/${other.ingredient}/card`),
  ],
  'PUT /api/ext/ingredients/:id/card': (own, other) => [
    bo.put(`/api/ext/ingredients/${own.ingredient}/card`, cardOf('Beta Zephyrite')),
    bo.put(`/api/ext/ingredients/${other.ingredient}/card`, cardOf('bo')),
  ],
  'GET /api/ext/ingredients/cards': () =>
    ['', '?format=csv'].map((query) => bo.get(`/api/ext/ingredients/cards${query}`)),
  'POST /api/ext/ingredients/cards': (own, other) =>
    [own.ingredient, other.ingredient, 'Alpha Bisabolol'].flatMap((ingredient) =>
      ['true', 'false'].map((dryRun) =>
        bo
          .post(`/api/ext/ingredients/cards?dryRun=${dryRun}`)
          .set('Content-Type', 'text/csv')
          .send(
            `${ingredient.includes(' ') ? 'ingredient' : 'ingredientId'},supplier,code,price\n` +
              `${ingredient},Beta Zephyrite Supplier,Beta Zephyrite,12\n`,
          ),
      ),
    ),
  'GET /api/ext/exchange-rates': () => [bo.get('/api/ext/exchange-rates')],
  'PUT /api/ext/exchange-rates': () => [bo.put('/api/ext/exchange-rates', { currency: 'CNY', rates: [] })],
  'GET /api/ext/ingredients/documents': () =>
    ['', '?expiresBefore=2031-01-01'].map((query) => bo.get(`/api/ext/ingredients/documents${query}`)),
  'GET /api/ext/export/formulas': () =>
    ['json', 'csv'].map((format) => bo.get(`/api/ext/export/formulas?format=${format}&versions=all`)),
  'GET /api/ext/export/ingredients': () => [bo.get('/api/ext/export/ingredients')],
  'GET /api/ext/export/colors': () => [bo.get('/api/ext/export/colors')],
  'POST /api/ext/import/ingredients': () => [
    importedBy(bo, 'ingredients?match=inci', 'INCI,description\nAlpha Bisabolol,bo\n'),
  ],
  'POST /api/ext/import/colors': () => [importedBy(bo, 'colors', 'name,L,a,b\nbo,1,1,1\n')],
  'POST /api/ext/import/formulas': (own, other) =>
    [own, other].map(({ ingredient, formula }) =>
      importedBy(bo, 'formulas', `formulaId,formula,ingredientId,%\n${formula},bo,${ingredient},100\n`),
    ),
  'GET /api/ext/import/refused/:id': (own, other) => [
    bo.get(`/api/ext/import/refused/${own.formula}`),
    bo.get(`/api/ext/import/refused/${other.formula}`),
  ],
  'GET /api/ext/ingredients/compositions': () => [
    bo.get('/api/ext/ingredients/compositions'),
    bo.get('/api/ext/ingredients/compositions?format=csv'),
  ],
  'POST /api/ext/ingredients/compositions': (own, other) =>
    [own.ingredient, other.ingredient].flatMap((ingredientId) => [
      bo.post('/api/ext/ingredients/compositions', {
        rows: [{ ingredientId, ...substancesOf('Beta Zephyrite').substances[0] }],
      }),
      bo.post('/api/ext/ingredients/compositions', {
        rows: [{ ingredient: 'Alpha Bisabolol', ...substancesOf('Alpha').substances[0] }],
      }),
    ]),
  'GET /api/ext/ingredients/:id/names': (own, other) => [
    bo.get(`/api/ext/ingredients/${own.ingredient}/names`),
    bo.get(`/api/ext/ingredients/${other.ingredient}/names`),
  ],
  'PUT /api/ext/ingredients/:id/names': (own, other) =>
    [own, other].map(({ ingredient }) =>
      bo.put(`/api/ext/ingredients/${ingredient}/names`, namesOf('Beta Zephyrite')),
    ),
  'POST /api/ext/ingredients/:id/names': (own, other) =>
    [own, other].map(({ ingredient }) =>
      bo.post(`/api/ext/ingredients/${ingredient}/names`, namesOf('Beta Zephyrite')),
    ),
  'POST /api/ext/ingredients/resolve': () => [
    bo.post('/api/ext/ingredients/resolve', {
      names: [
        ...SEARCHED,
        'bisabolol',
        '红没药',
        'Alpha Bisabolol',
        'Alpha Bisabolol 99%',
        'Alpha Synonym',
        '56-81-5',
        'Aqua',
        '去离子水',
      ],
    }),
  ],
  'GET /api/ext/ingredients/duplicates': () => [
    bo.get('/api/ext/ingredients/duplicates'),
    bo.get('/api/ext/ingredients/duplicates?limit=1&page=2'),
  ],
  'POST /api/ext/ingredients/:id/merge': (own, other) => [
    bo.post(`/api/ext/ingredients/${own.ingredient}/merge`, { into: other.ingredient }),
    bo.post(`/api/ext/ingredients/${other.ingredient}/merge`, { into: own.ingredient }),
  ],
  'POST /api/ext/formulas/extract': () => [
    bo.post('/api/ext/formulas/extract', { text: 'Alpha Bisabolol 5%\nAlpha 红没药 2%\nBeta Bisabolol 3%' }),
  ],
  'GET /api/ext/formulas/:id/declaration': (own, other) =>
    ['eu', 'us', 'cn'].flatMap((region) =>
      [own.formula, other.formula].map((id) =>
        bo.get(`/api/ext/formulas/${id}/declaration?region=${region}`),
      ),
    ),
  'GET /api/ext/declarations': (own, other) =>
    [
      `formulas=${own.formula},${other.formula}`,
      `projectId=${own.project}`,
      `projectId=${other.project}`,
    ].map((range) => bo.get(`/api/ext/declarations?region=eu&${range}`)),
  'GET /api/ext/formulas/:id/profile': (own, other) => [
    bo.get(`/api/ext/formulas/${own.formula}/profile`),
    bo.get(`/api/ext/formulas/${other.formula}/profile`),
  ],
  'PUT /api/ext/formulas/:id/profile': (own, other) => [
    bo.put(`/api/ext/formulas/${own.formula}/profile`, PROFILE),
    bo.put(`/api/ext/formulas/${own.formula}/profile`, { mixedWith: { formulaId: other.formula, ratio: 2 } }),
    bo.put(`/api/ext/formulas/${other.formula}/profile`, PROFILE),
  ],
  'GET /api/ext/formulas/:id/screening': (own, other) =>
    ['', '&format=csv', '&format=html'].flatMap((format) =>
      [own.formula, other.formula].map((id) =>
        bo.get(`/api/ext/formulas/${id}/screening?region=demo${format}`),
      ),
    ),
  'GET /api/ext/formulas': (own, other) =>
    [
      ...['', 'category=antioxidant', 'projectId=none', 'changedSince=2000-01-01', 'limit=1&page=2'],
      ...[own, other].flatMap(({ project, ingredient }) => [
        `projectId=${project}`,
        `ingredientId=${ingredient}`,
        `ingredientId=${ingredient}&minShare=1&maxShare=99`,
      ]),
      ...['Alpha Substance', 'Beta Substance'].map((name) => `substance=${name}`),
      ...['productType=lip', 'market=eu', `createdBy=${ada.id}`],
      ...SEARCHED.map((text) => `search=${encodeURIComponent(text)}&changedSince=2000-01-01`),
    ].map((query) => bo.get(`/api/ext/formulas?${query}`)),
  'GET /api/ext/formulas/:id': (own, other) =>
    [own, other].flatMap(({ formula }) =>
      ['', '?expand=price,unit,category'].map((query) => bo.get(`/api/ext/formulas/${formula}${query}`)),
    ),
  'POST /api/ext/formulas/move': (own, other) => [
    bo.post('/api/ext/formulas/move', { ids: [own.formula], projectId: own.project }),
    bo.post('/api/ext/formulas/move', { ids: [own.formula], projectId: other.project }),
    bo.post('/api/ext/formulas/move', { ids: [own.formula, other.formula], projectId: own.project }),
    bo.post('/api/ext/formulas/move', { ids: [other.formula], projectId: null }),
  ],
  'GET /api/ext/ingredients': (own, other) =>
    [
      ...['', 'sortBy=inciName', 'supplier=b', 'minPrice=0', 'category=antioxidant', 'casNumber=56-81-5'],
      `ids=${own.ingredient},${other.ingredient}`,
      ...SEARCHED.map((text) => `search=${encodeURIComponent(text)}&sortBy=createdAt`),
    ].map((query) => bo.get(`/api/ext/ingredients?${query}`)),
  'GET /api/ext/ingredients/:id/formulas': (own, other) =>
    [own, other].flatMap(({ ingredient }) =>
      ['current', 'all'].map((versions) =>
        bo.get(`/api/ext/ingredients/${ingredient}/formulas?versions=${versions}`),
      ),
    ),
  'GET /api/ext/ingredients/:id/where-used': (own, other) =>
    [own, other].map(({ ingredient }) => bo.get(`/api/ext/ingredients/${ingredient}/where-used`)),
  'GET /api/ext/substances': () =>
    ['', 'search=substance', 'search=物质', 'search=56-81-5', 'search=synonym', 'limit=1&page=2'].map(
      (query) => bo.get(encodeURI(`/api/ext/substances?${query}`)),
    ),
  'GET /api/ext/substances/:key/formulas': () =>
    ['Alpha Substance', 'Beta Substance', 'Shared Substance'].flatMap((name) =>
      ['current', 'all'].map((versions) =>
        bo.get(`/api/ext/substances/${encodeURIComponent(name)}/formulas?versions=${versions}`),
      ),
    ),
  'POST /api/ext/formulas/:id/solve': (own, other) =>
    [own.formula, other.formula].flatMap((formula) =>
      [
        { objective: 'least-cost', add: FUNCTION_CATEGORIES.map((category) => ({ category })) },
        {
          objective: 'least-change',
          keep: [own.ingredient],
          substances: [{ key: 'Beta Substance', max: 1 }],
        },
        { objective: 'least-change', exclude: [other.ingredient], keep: [shared] },
        { objective: 'least-cost', bounds: [{ ingredientId: other.ingredient, min: 1 }] },
        { objective: 'least-change', screening: { region: 'demo' } },
      ].map((input) => bo.post(`/api/ext/formulas/${formula}/solve`, input)),
    ),
  'POST /api/ext/ingredients/:id/replace': (own, other) => [
    ...[own, other].flatMap(({ ingredient, formula, project }) => [
      bo.post(`/api/ext/ingredients/${ingredient}/replace`, { by: other.ingredient, dryRun: false }),
      bo.post(`/api/ext/ingredients/${ingredient}/replace`, { by: own.ingredient, dryRun: false }),
      bo.post(`/api/ext/ingredients/${own.ingredient}/replace`, {
        by: formula,
        formulas: { ids: [formula] },
      }),
      bo.post(`/api/ext/ingredients/${ingredient}/replace`, { by: shared, formulas: { ids: [formula] } }),
      bo.post(`/api/ext/ingredients/${ingredient}/replace`, { by: shared, formulas: { projectId: project } }),
      bo.post(`/api/ext/ingredients/${ingredient}/replace`, { by: shared, formulas: { projectId: 'none' } }),
    ]),
    bo.post(`/api/ext/ingredients/${shared}/replace`, { by: own.ingredient }),
  ],
  'GET /api/ext/me': () => [bo.get('/api/ext/me')],
  'GET /api/ext/users': () => [bo.get(`/api/ext/users?ids=${bo.id}`)],
  'PUT /api/ext/auth/password': () => [bo.put('/api/ext/auth/password', {})],
  'POST /api/ext/auth/logout': () => [
    service.register().then((account) => account.post('/api/ext/auth/logout')),
  ],
  'GET /api/ext/trash': () => [bo.get('/api/ext/trash')],
  'POST /api/ext/trash/:id/restore': (own, other) => [
    bo.post(`/api/ext/trash/${other.trashed}/restore`),
    bo.post(`/api/ext/trash/${own.trashed}/restore`).then(async (answer) => {
      await bo.delete(`/api/formulas/${own.trashed}`).expect(204);
      return answer;
    }),
  ],
  'DELETE /api/ext/trash/:id': (_, other) => [bo.delete(`/api/ext/trash/${other.trashed}`)],
  'GET /api/ext/batches/:id': (own, other) => [
    bo.get(`/api/ext/batches/${own.batch}`),
    bo.get(`/api/ext/batches/${other.batch}`),
  ],
};

/** All routes of the application, as the HTTP server knows them. */
function routes(): string[] {
  const { router } = service.app.getHttpAdapter().getInstance() as {
    router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
  };
  return router.stack.flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`) : [],
  );
}

/** The answers to a walk, without what differs from one time to the next. */
async function answers(own: Records, other: Records): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [route, ask] of Object.entries(WALK)) {
    found[route] = [];
    for (const asked of ask(own, other)) {
      const { status, text } = await asked;
      if (status >= 500) throw new Error(`${route} answers ${status}: ${text}`);
      const lasting = text
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) =>
          Object.values(own).includes(id) ? id : '<id>',
        )
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
      found[route].push(`${status} ${lasting}`);
    }
  }
  return found;
}

/** An ingredient that is everybody's. */
let shared: string;

describe('What another team has', () => {
  let own: Records;
  let hidden: Records;

  beforeAll(async () => {
    shared = (await createIngredient(admin, { inciName: 'Aqua', chineseName: '水' })).id;
    own = await recordsOf(bo, 'bo', shared, 'Beta Zephyrite');
  });

  it('is asked for on every route that there is', () => {
    // What belongs to the page of the document is files.
    const there = new Set(routes().filter((route) => !route.startsWith('GET /api/docs/')));
    expect(there.size).toBeGreaterThan(29);
    expect(Object.keys(WALK).sort()).toEqual([...there].sort());
  });

  it('changes no answer: nothing of it shows, is found, or is counted', async () => {
    const none = Object.fromEntries(
      Object.keys(own).map((kind) => [kind, randomUUID()]),
    ) as unknown as Records;
    const before = await answers(own, none);
    hidden = await recordsOf(ada, 'ada', shared, 'Alpha');
    for (const name of ['Creem', 'Rich', 'Alfa', 'Alphb'])
      await createFormula(ada, wholeOf(shared), { name, projectId: hidden.project });
    for (const description of crowdingWords(6))
      await createFormula(ada, wholeOf(shared), { name: 'Crowd', description });
    for (let copy = 0; copy < 60; copy++)
      await ada.post('/api/color/formulas', { name: `Alpha ${copy}`, targetLab: LAB }).expect(201);
    const after = await answers(own, hidden);
    expect(after).toEqual(before);
    // The walk finds what there is: as one who may see it.
    expect((await admin.get(`/api/formulas/${hidden.formula}`)).status).toBe(200);
    expect((await admin.get('/api/formulas')).body.pagination.total).toBe(12);
    expect((await admin.get('/api/formulas?search=creem')).body.data).toHaveLength(1);
    expect((await bo.get('/api/formulas?search=creem')).body.data).toHaveLength(1);
  }, 120_000);

  it('is all there for that team, and for who may read everything', async () => {
    for (const user of [ada, admin]) {
      await user.get(`/api/formulas/${hidden.formula}`).expect(200);
      await user.get(`/api/projects/${hidden.project}`).expect(200);
      await user.get(`/api/ingredients/${hidden.ingredient}`).expect(200);
      await user.get(`/api/ext/batches/${hidden.batch}`).expect(200);
      const match = await user.get('/api/color/formulas/match?L=50&a=20&b=10&limit=20').expect(200);
      expect(match.body.data).toHaveLength(20);
      const { body } = await user.get('/api/projects').expect(200);
      const listed = (body.data as { id: string; _count: object }[]).find(({ id }) => id === hidden.project);
      expect(listed?._count).toEqual({ formulas: 5 });
    }
    expect((await ada.get('/api/formulas')).body.pagination.total).toBe(11);
    expect((await bo.get('/api/formulas?search=zephyrote')).body.data).toHaveLength(1);
    expect((await ada.get('/api/formulas?search=alpha+creme')).body.data).toHaveLength(1);
  });

  it('counts among the uses of an ingredient for nobody else, and still keeps it from being deleted', async () => {
    const usages = async (user: Account) =>
      (await user.delete(`/api/ingredients/${shared}`).expect(409)).body;
    expect(await usages(bo)).toMatchObject({ usageCount: 1 });
    expect(await usages(ada)).toMatchObject({ usageCount: 11 });
    expect(await usages(admin)).toMatchObject({ usageCount: 12 });
  });

  it('shows nothing of a project that a formula of mine was put into before', async () => {
    await database.query('UPDATE formulas SET project_id = $1 WHERE id = $2', [hidden.project, own.formula]);
    for (const { body } of [
      await bo.get(`/api/formulas/${own.formula}`),
      await bo.put(`/api/formulas/${own.formula}`, {}),
      await bo.put(`/api/formulas/${own.formula}`, { description: 'x' }),
    ])
      expect(body.data.project).toBeNull();
    const list = await bo.get('/api/formulas').expect(200);
    expect(list.body.data[0].project).toBeNull();
    expect((await bo.get('/api/ai/search?q=beta')).body.data[0].project).toBeNull();
  });

  it('does not count in a project of mine that a formula of theirs was put into', async () => {
    await database.query('UPDATE formulas SET project_id = $1 WHERE id = $2', [own.project, hidden.formula]);
    const counted = async (user: Account) => {
      const { body } = await user.get('/api/projects').expect(200);
      const projects = body.data as { id: string; _count: { formulas: number } }[];
      return projects.find(({ id }) => id === own.project)?._count.formulas;
    };
    expect([await counted(bo), await counted(admin)]).toEqual([0, 1]);
  });

  it('of ingredients leads to no formula of mine, whose composition shows them all the same', async () => {
    const taken = await createIngredient(bo, { inciName: 'Tocopherol', chineseName: '维生素E' });
    const { id } = (await createFormula(bo, wholeOf(taken.id), { name: 'Balm' })) as { id: string };
    const found = async (query: string) => (await bo.get(`/api/ai/search?q=${query}`).expect(200)).body.data;
    expect(await found('tocopherol')).toHaveLength(1);
    await database.query('INSERT INTO ext_team_ingredients VALUES ($1, $2)', [taken.id, 'ada']);
    await bo.get(`/api/ingredients/${taken.id}`).expect(404);
    expect(await found('tocopherol')).toEqual([]);
    const { body } = await bo.get(`/api/formulas/${id}`).expect(200);
    expect(body.data.versions[0].phases[0].ingredients[0].ingredient.inciName).toBe('Tocopherol');
    const expanded = await bo.get(`/api/ext/formulas/${id}?expand=category,unit,price`).expect(200);
    expect(expanded.body.data.versions[0].phases[0].ingredients[0].ingredient).toEqual({
      ...body.data.versions[0].phases[0].ingredients[0].ingredient,
      unitPrice: null,
      unit: null,
      functionCategory: null,
    });
  });

  it('of ingredients is contained in no formula that a list finds', async () => {
    const taken = await createIngredient(bo, { inciName: 'Squalane', functionCategory: 'sunscreen' });
    await createFormula(bo, wholeOf(taken.id), { name: 'Oil' });
    const total = async (query: string) =>
      (await bo.get(`/api/ext/formulas?${query}`).expect(200)).body.pagination.total;
    const found = () => Promise.all([total('category=sunscreen'), total(`ingredientId=${taken.id}`)]);
    expect(await found()).toEqual([1, 1]);
    await database.query('INSERT INTO ext_team_ingredients VALUES ($1, $2)', [taken.id, 'ada']);
    expect(await found()).toEqual([0, 0]);
    await bo.get(`/api/ext/ingredients/${taken.id}/formulas`).expect(404);
  });

  it('does not count among the formulas that use an ingredient of everybody', async () => {
    const using = async (user: Account) =>
      (await user.get(`/api/ext/ingredients/${shared}/formulas?versions=all`).expect(200)).body.pagination
        .total;
    expect([await using(bo), await using(ada), await using(admin)]).toEqual([1, 11, 12]);
  });

  it('of projects leaves a formula of mine in it among those without a project', async () => {
    await database.query('UPDATE formulas SET project_id = $1 WHERE id = $2', [hidden.project, own.formula]);
    const found = async (user: Account, projectId: string) =>
      (await user.get(`/api/ext/formulas?createdBy=${bo.id}&projectId=${projectId}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found(bo, 'none')).toContain(own.formula);
    expect(await found(bo, hidden.project)).toEqual([]);
    expect(await found(admin, 'none')).not.toContain(own.formula);
    expect(await found(admin, hidden.project)).toEqual([own.formula]);
  });

  it('is neither replaced nor named where an ingredient of everybody is', async () => {
    const [from, to] = [await createIngredient(admin), await createIngredient(admin)];
    const theirs = (await createFormula(ada, wholeOf(from.id))) as { id: string };
    const mine = (await createFormula(bo, wholeOf(from.id))) as { id: string };
    const secret = await createIngredient(ada, { inciName: 'Secret' });
    const half = (ingredientId: string) => ({ ingredientId, percentage: 50 });
    const mixed = (await createFormula(
      bo,
      [{ name: '相', sortOrder: 1, ingredients: [half(from.id), half(secret.id)] }],
      { name: 'Mixed' },
    )) as { id: string };
    await database.query('INSERT INTO ext_team_ingredients VALUES ($1, $2)', [secret.id, 'ada']);
    const { body } = await bo
      .post(`/api/ext/ingredients/${from.id}/replace`, { by: to.id, dryRun: false })
      .expect(200);
    expect(body.data.formulas.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
    // A version with an ingredient that is hidden cannot be written, as in the contract.
    expect(body.data.notPermitted).toMatchObject([{ id: mixed.id, name: 'Mixed', share: 50 }]);
    expect(body.data.notPermittedCount).toBe(1);
    const version = async (id: string) => (await admin.get(`/api/formulas/${id}`)).body.data.currentVersion;
    expect([await version(theirs.id), await version(mine.id), await version(mixed.id)]).toEqual([1, 2, 1]);
    for (const { id } of [theirs, mine, mixed]) await admin.delete(`/api/formulas/${id}`).expect(204);
  });

  it('of ingredients is named as a duplicate only to who may see it', async () => {
    const input = { inciName: 'ＡＬＰＨＡ bisabolol', chineseName: 'x', functionCategory: 'other' };
    const duplicateOf = async (user: Account) => {
      const { headers, body } = await user.post('/api/ingredients', input).expect(201);
      await database.query('DELETE FROM ingredients WHERE id = $1', [body.data.id]);
      return headers['x-duplicate-of'];
    };
    expect(await duplicateOf(bo)).toBeUndefined();
    expect(await duplicateOf(ada)).toBe(hidden.ingredient);
  });

  it('of a batch of mine the formula of theirs does not show', async () => {
    await database.query('UPDATE ext_batches SET formula_id = $1 WHERE id = $2', [hidden.formula, own.batch]);
    expect((await bo.get(`/api/ext/batches/${own.batch}`)).body.data.name).toBeNull();
    expect((await admin.get(`/api/ext/batches/${own.batch}`)).body.data.name).toBe('Alpha Cream');
  });
});

describe('Statements that a policy restricts', () => {
  it('are prepared under names of their own, the same for everybody', async () => {
    const texts = new Map<string, string>();
    const paths = ['formulas', 'formulas?search=cream', 'formulas?search=craem', 'projects', 'ingredients'];
    for (const user of [ada, bo, admin]) {
      const asked = await recordStatements(async () => {
        for (const path of paths) await user.get(`/api/${path}`).expect(200);
      });
      for (const { name, text } of asked) {
        if (!name) throw new Error(`Not prepared: ${text}`);
        expect(texts.get(name) ?? text).toBe(text);
        texts.set(name, text);
      }
    }
    expect([...texts.keys()].filter((name) => name.endsWith(':readable')).length).toBeGreaterThanOrEqual(6);
    expect([...texts.values()].join()).not.toContain('{value');
  });

  it('are read by id for each caller alone', async () => {
    const users = [ada, bo];
    const ids = await Promise.all(users.map(async (user) => (await createProject(user)).id as string));
    const rowFilters = service.app.get(RowFilterService);
    const projects = service.app.get(ProjectsRepository);
    const filters = await Promise.all(
      users.map(async (user) => rowFilters.of(user as unknown as CurrentUser)),
    );
    const reads = filters.flatMap((filter) => ids.map((id) => projects.findById(filter, id)));
    const found = (await Promise.all(reads)).map((project) => project !== undefined);
    expect(found).toEqual([true, false, false, true]);
  });
});

describe('Colours of another team', () => {
  beforeAll(async () => {
    // Around one place, and more equal ones in another than are read of a cell.
    for (const [user, number] of [
      [ada, 300],
      [bo, 100],
    ] as const)
      await database.query(
        `INSERT INTO color_formulas (name, l, a, b, created_by)
         SELECT 'Many', 40 + n % 20, n % 7 - 3, n % 5 - 2, $1::uuid FROM generate_series(1, $2::int) AS n
         UNION ALL SELECT 'Equal', 70, 30.1, 30.1, $1::uuid FROM generate_series(1, $2::int) AS n`,
        [user.id, number],
      );
  });
  afterAll(() => database.query(`DELETE FROM color_formulas WHERE name IN ('Many', 'Equal')`));

  it.each([
    [{ L: 50, a: 0, b: 0 }, 3],
    [{ L: 50, a: 0, b: 0 }, 20],
    [{ L: 70, a: 30.1, b: 30.1 }, 3],
    [{ L: 70, a: 30.1, b: 30.1 }, 20],
  ])('are no match for one of this, however many they are: %j, %d', async (lab, limit) => {
    const owners = async (user: Account) => {
      const path = `/api/color/formulas/match?L=${lab.L}&a=${lab.a}&b=${lab.b}&limit=${limit}`;
      const { body } = await user.get(path).expect(200);
      const ids = (body.data as { id: string }[]).map(({ id }) => id);
      expect(ids).toHaveLength(limit);
      const found: { created_by: string }[] = await database.query(
        'SELECT DISTINCT created_by FROM color_formulas WHERE id = ANY ($1)',
        [ids],
      );
      return found.map(({ created_by }) => created_by);
    };
    for (let time = 0; time < 2; time++) {
      expect(await owners(bo)).toEqual([bo.id]);
      expect(await owners(ada)).toEqual([ada.id]);
    }
    const targetLab = lab;
    const { body } = await bo.post('/api/color/recommend', { targetLab }).expect(200);
    const ids = (body.matchedFormulas as { id: string }[]).map(({ id }) => id);
    const others: unknown[] = await database.query(
      'SELECT id FROM color_formulas WHERE id = ANY ($1) AND created_by <> $2',
      [ids, bo.id],
    );
    expect([ids.length, others]).toEqual([5, []]);
  });
});

describe('A text that most formulas of another team contain', () => {
  beforeAll(() =>
    database.query(
      `INSERT INTO formulas (name, created_by) SELECT 'Ubiquitous ' || n, $1 FROM generate_series(1, 600) AS n`,
      [ada.id],
    ),
  );
  afterAll(() => database.query(`DELETE FROM formulas WHERE name LIKE 'Ubiquitous %'`));

  it('is found in none for this one, though others have searched for it', async () => {
    const search = async (user: Account) => {
      let total: number | undefined;
      const asked = await recordStatements(async () => {
        ({ total } = (await user.get('/api/formulas?search=ubiquitous').expect(200)).body.pagination);
      });
      const names = asked.map(({ name }) => name).filter((name) => name?.startsWith('formulas.search'));
      return { total, name: names[0] };
    };
    const restricted = 'formulas.search.updatedAt.desc.0-1-false:readable';
    expect(await search(admin)).toEqual({ total: 600, name: 'formulas.search.updatedAt.desc.0-1-false' });
    for (let time = 0; time < 2; time++) {
      expect(await search(bo)).toEqual({ total: 0, name: restricted });
      expect(await search(ada)).toEqual({ total: 600, name: restricted });
    }
  });
});

describe('A policy that', () => {
  const reads = [
    '/api/formulas',
    '/api/formulas?search=cream',
    '/api/projects',
    '/api/ingredients',
    '/api/color/formulas/match?L=50&a=20&b=10',
    '/api/ai/search?q=cream',
  ];

  it('says nothing shows nothing, of any kind', async () => {
    TeamPolicy.instead = () => 'nothing';
    for (const path of reads) {
      const { body } = await admin.get(path).expect(200);
      expect({ path, data: body.data }).toEqual({ path, data: [] });
      if (body.pagination) expect(body.pagination.total).toBe(0);
    }
  });

  it.each<[string, () => ReadValues, number]>([
    ['gives too few values', () => [], 500],
    ['gives too many values', () => ['ada', 'bo'], 500],
    ['gives no values', () => undefined as unknown as ReadValues, 500],
    ['says another word', () => 'all' as unknown as ReadValues, 500],
    [
      'fails',
      () => {
        throw new Error('no team');
      },
      500,
    ],
    [
      'refuses',
      () => {
        throw new ForbiddenError();
      },
      403,
    ],
  ])('%s shows nothing and says so', async (_, instead, status) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    TeamPolicy.instead = instead;
    for (const path of [...reads, `/api/formulas/${randomUUID()}`, `/api/ingredients/${randomUUID()}`]) {
      const { body } = await admin.get(path).expect(status);
      expect(body.data).toBeUndefined();
    }
    expect(log.mock.calls.length > 0).toBe(status === 500);
    log.mockRestore();
  });

  it('gives no value for a caller, who sees what is nobody’s', async () => {
    TeamPolicy.instead = () => [null];
    expect((await bo.get('/api/formulas')).body.pagination.total).toBe(0);
  });

  it('does not let a user create answers 403 after 400', async () => {
    const { id } = await createIngredient(bo);
    const creations: [kind: string, path: string, body: object][] = [
      ['ingredient', '/api/ingredients', { inciName: 'x', chineseName: 'x', functionCategory: 'other' }],
      ['project', '/api/projects', { name: 'x' }],
      ['formula', '/api/formulas', { name: 'x', phases: wholeOf(id) }],
      ['color', '/api/color/formulas', { targetLab: LAB }],
    ];
    for (const [kind, path, body] of creations) {
      TeamPolicy.refused.clear();
      await bo.post(path, body).expect(201);
      TeamPolicy.refused.add(kind);
      const refused = await bo.post(path, body).expect(403);
      expect(refused.body).toEqual({ error: '无权限执行此操作', statusCode: 403 });
      await bo.post(path, {}).expect(400);
    }
  });

  it('does not let a user use a capability answers 403, streams too', async () => {
    const ingredients = [{ name: 'x', percentage: 1, category: 'other' }];
    const uses: [string, () => PromiseLike<{ status: number; body: unknown }>][] = [
      ['predict-formula', () => bo.post('/api/ai/predict-formula', { ingredients })],
      ['explore-formula', () => bo.post('/api/ai/explore-formula', { costLimit: 1 })],
      ['extract-formula', () => bo.post('/api/ai/extract-formula', { text: 'Aqua 5%' })],
      [
        'extract-formula',
        () => bo.post('/api/ai/extract-formula', { text: 'Aqua 5%' }).set('Accept', 'text/event-stream'),
      ],
      ['search-keywords', () => bo.get('/api/ai/search?q=cream')],
      ['recommend-colorants', () => bo.post('/api/color/recommend', { targetLab: LAB })],
    ];
    for (const [action, use] of uses) {
      TeamPolicy.refused.clear();
      expect((await use()).status).toBe(200);
      TeamPolicy.refused.add(action);
      const { status, body } = await use();
      expect({ action, status, body }).toEqual({
        action,
        status: 403,
        body: { error: '无权限执行此操作', statusCode: 403 },
      });
    }
  });
});

describe('A start is refused that names the module', () => {
  const withReadable = (readable: unknown, more: object[] = []) => {
    class BadPolicy extends AccessPolicy {
      canChange = () => true;
      canConfigure = () => true;
      override readable = () => readable as ReadableRecords;
    }
    @Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: BadPolicy }, ...(more as [])] })
    class BadModule {}
    return bootApp({ module: { imports: [AppModule.register({ extensions: [BadModule] })] } });
  };
  const values = () => [];

  it.each([
    [
      'of a kind that there is not',
      { types: [], values, conditions: { formulas: () => 'true' } },
      /BadModule: there is no kind of record 'formulas' \(there are .*formula/,
    ],
    [
      'whose condition names a column that there is not',
      { types: [], values, conditions: { formula: (row: string) => `${row}.team = 1` } },
      /BadModule: the condition of formula cannot be asked \(.*team/,
    ],
    [
      'whose condition does not say that a column is the row’s',
      {
        types: ['uuid'],
        values,
        conditions: { formula: (_: string, [me]: string[]) => `created_by = ${me}` },
      },
      /BadModule: the condition of formula cannot be asked \(.*created_by.*ambiguous/,
    ],
    [
      'whose condition has a table that is called as the row in some statements',
      {
        types: [],
        values,
        conditions: {
          formula: (row: string) =>
            `NOT EXISTS (SELECT FROM formula_versions f WHERE f.formula_id = ${row}.id AND f.version_number > 9)`,
        },
      },
      /BadModule: the condition of formula has a table that it calls f, as some statements call the row/,
    ],
    [
      'whose condition hides the rest of the statement',
      { types: [], values, conditions: { formula: () => 'true --' } },
      /BadModule: the condition of formula cannot be asked/,
    ],
  ])('a policy %s', async (_, readable, message) => {
    await expect(withReadable(readable)).rejects.toThrow(message);
  });

  it('not what shows with a caller; then the log names the policy and the kinds', async () => {
    const started = await withReadable({
      types: ['integer'],
      values: () => [0],
      conditions: { formula: (_: string, [zero]: string[]) => `1 / ${zero} = 1` },
    });
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    try {
      const user = await started.register();
      await user.get('/api/formulas').expect(500);
      expect(JSON.stringify(logged.mock.calls)).toContain(
        'a condition of CUSTOM_ACCESS_POLICY, perhaps: formula',
      );
    } finally {
      logged.mockRestore();
      await started.close();
    }
  });

  it('kinds without a table', async () => {
    const kinds = { provide: RECORD_KINDS, useValue: { batch: 7 } };
    const readable = { types: [], values, conditions: {} };
    await expect(withReadable(readable, [kinds])).rejects.toThrow(
      'RECORD_KINDS in BadModule: batch has no name of a table.',
    );
  });
});
