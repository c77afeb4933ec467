import type { AddressInfo } from 'node:net';
import { JwtService } from '@nestjs/jwt';
import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { ERRORS } from '../../src/platform/texts/catalogue';
import { apiDocument } from '../../src/platform/server/api-docs';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  bodies,
  type GeneratedBody,
  headers,
  type Operation,
  operationsOf,
  pathIds,
  queries,
  SchemaArbitraries,
  type Special,
  unexpectedBodies,
} from '../support/openapi-arbitraries';
import { importLimits } from '../support/limits';
import { samples } from '../support/random-numbers';
import { RawHttp, type RawResponse } from '../support/raw-http';
import { SchemaValidator } from '../support/schema-validator';

/*
 * No input makes a 5xx. Every operation of the OpenAPI document gets generated bodies, queries, ids and
 * headers; each answer is either a documented success of the documented shape, or a 4xx with the contract's
 * body that left the database as it was. New operations are covered by being in the document.
 *
 * FUZZ_RUNS (requests per operation) and FUZZ_SEED explore further.
 */
const RUNS = Number(process.env.FUZZ_RUNS ?? samples(160));
const SEED = Number(process.env.FUZZ_SEED ?? 20260101);

/** Of a substance that is a complete raw material. */
const WHOLE = {
  percentage: 100,
  range: null,
  minPercentage: null,
  maxPercentage: null,
  casNumber: null,
  ecNumber: null,
};

const SOME_ID = '3f0c9b1e-5a52-4a0e-9d0c-6f1d2b7a8c41';

/** The id that a field has, also where it is a text of a query. */
const idOrText = (given: string) => (/^@|^[0-9a-f-]{36}$/i.test(given) ? given : SOME_ID);

/** Rules that the document can only describe in words, by the field they are about. */
const RULES: Special = {
  // One substance is the whole.
  substances: (substances: object[]) => substances.slice(0, 1).map((one) => ({ ...one, ...WHOLE })),
  rows: (rows: object[]) => rows.slice(0, 1).map((one) => ({ ...one, ...WHOLE })),
  // Of lists: texts that are ids and times.
  projectId: idOrText,
  ingredientId: idOrText,
  createdBy: idOrText,
  changedSince: () => '2026-01-31',
  // Of a replacement: either of the two. Of a range of shades: instead of the project.
  formulas: (given: string | { ids?: string[]; projectId?: string }) =>
    typeof given === 'string' ? '' : given.ids ? { ids: given.ids } : { projectId: given.projectId },
  // The percentages of all phases together are 100.
  phases: (phases: { ingredients?: { percentage: number }[] }[]) => {
    const lines = phases.flatMap(({ ingredients = [] }) => ingredients);
    // Bounds of phases have no lines.
    if (lines.length === 0) return phases;
    const share = Math.floor(10_000 / lines.length) / 100;
    lines.forEach((line) => (line.percentage = share));
    lines[0]!.percentage = Math.round((100 - share * (lines.length - 1)) * 100) / 100;
    return phases;
  },
  // One supplier of a card is preferred, and a strength has a solvent.
  suppliers: (suppliers: object[]) => suppliers.map((one, at) => ({ ...one, preferred: at === 1 })),
  strength: () => null,
  solvent: () => null,
  unit: (unit: string) => (['kg', 'g', 'mg', 't'].includes(unit) ? unit : 'kg'),
  currency: () => 'EUR',
  rates: (rates: object[]) => rates.slice(0, 1).map((one) => ({ ...one, currency: 'USD' })),
  expiresBefore: () => '2027-01-01',
  // Registry numbers have check digits.
  casNumbers: () => ['56-81-5'],
  ecNumbers: () => [],
  // Of a batch: a multiple of the step.
  mass: (mass: number) => Math.max(1, Math.round(mass) % 1000),
  step: () => 0.1,
  // Of the accounts that ask.
  oldPassword: () => 'secret',
  newPassword: () => 'secret',
  // Without the mock a failed extraction is a 500 by contract, and providers are not what is explored here.
  aiMock: () => 'true',
  alphaKey: () => 'sk-test',
  betaKey: () => 'sk-test',
  alphaBaseUrl: () => 'http://127.0.0.1:9/v1',
  betaBaseUrl: () => 'http://127.0.0.1:9',
};

/** A success needs more than a record: a line of the very formula that is in the path. */
const SELDOM_SUCCEEDS = new Set([
  'GET /api/ext/formulas/{id}/balance',
  // Its wishes are about ingredients, phases and substances of the formula: test/e2e/lab-solve.e2e-spec.ts has some.
  'POST /api/ext/formulas/{id}/solve',
  // It needs two formulas, or a project with two: test/e2e/lab-declaration.e2e-spec.ts has some.
  'GET /api/ext/declarations',
  // It takes files only: test/e2e/limits.e2e-spec.ts sends some.
  'POST /api/ext/limits/editions',
  // They take files alone, which are not generated.
  ...['ingredients', 'colors', 'formulas'].map((kind) => `POST /api/ext/import/${kind}`),
  'POST /api/ext/ingredients/cards',
]);

/** They end the tokens of who asks, who signs in again. The last operations: a wrong password bars logins. */
const ENDING_TOKENS = ['POST /api/ext/auth/logout', 'PUT /api/ext/auth/password'];

/** Tables that no request writes: looked at once, not after every request. */
const READ_ONLY_TABLES = new Set(['migrations', 'reference_colors']);

/** Columns that the service writes after the answer, in the background: the embeddings of formulas. */
const BACKGROUND_COLUMNS: Record<string, readonly string[]> = {
  formulas: ['embedding', 'embedding_maker', 'embedding_stamp'],
};

/** The number of a version in a path. */
const numbers = fc.oneof(
  { weight: 4, arbitrary: fc.constant('1') },
  fc.constantFrom('2', '0', '-1', '1.5', 'x', '2147483648', '%00', '%E4%BD', '9'.repeat(400)),
);

/** The key of a substance in a path. */
const keys = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('ingredient%201', 'Ingredient%202', 'ingredient%203', 'ingredient%204'),
  },
  fc.constantFrom(
    '%00',
    '%E4%BD',
    '%ED%A0%80',
    '%25',
    '%5C',
    '*',
    "'",
    '%2F',
    '%F0%9F%A7%B4',
    'x'.repeat(2000),
  ),
);

/** `formulas` of `/api/formulas/{id}` and `/api/ext/formulas/{id}`. */
const collectionOf = ({ path }: Pick<Operation, 'path'>): string =>
  path.includes('/color/formulas')
    ? 'colors'
    : path.split('/').find((part) => !['', 'api', 'ext'].includes(part))!;

type Signature = 'owner' | 'other' | 'admin' | 'none' | 'gone' | 'expired' | 'forged' | 'malformed';

interface Generated {
  signature: Signature;
  id: string;
  /** Of the version, or the key of the substance, where the path has one. */
  number: string;
  query: string;
  body: GeneratedBody | undefined;
  headers: Record<string, string>;
}

const signatures = fc.oneof(
  { weight: 14, arbitrary: fc.constant<Signature>('owner') },
  { weight: 2, arbitrary: fc.constant<Signature>('other') },
  { weight: 2, arbitrary: fc.constant<Signature>('admin') },
  { weight: 2, arbitrary: fc.constantFrom<Signature>('none', 'gone', 'expired', 'forged', 'malformed') },
);

describe('No input makes a server error', () => {
  let app: TestApp;
  let wire: RawHttp;
  let document: OpenAPIObject;
  let validator: SchemaValidator;
  let dataSource: DataSource;
  let tokens: Record<Signature, string | undefined>;
  /** Ids of existing records per collection. */
  const records = new Map<string, string[]>();
  const seen = new Map<string, Map<number, number>>();
  let fingerprintStatement: string;
  let fingerprint: string;

  beforeAll(async () => {
    // Whatever base URL the configuration is given: no request leaves the machine.
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(() => Promise.resolve(new Response('{}', { status: 401 })));
    app = await bootApp();
    wire = new RawHttp((app.app.getHttpServer().address() as AddressInfo).port);
    document = apiDocument(app.app);
    validator = new SchemaValidator(document);
    dataSource = app.app.get(DataSource);
    const [owner, other, admin, gone] = await Promise.all(
      ['owner', 'other', 'admin', 'gone'].map((name) => app.register(name)),
    );
    await dataSource.query(`UPDATE users SET role = 'admin' WHERE username = 'admin'`);
    await dataSource.query(`DELETE FROM users WHERE username = 'gone'`);
    const claims = { sub: owner!.id, username: owner!.username, role: 'engineer' };
    tokens = {
      owner: owner!.token,
      other: other!.token,
      admin: admin!.token,
      gone: gone!.token,
      expired: app.app.get(JwtService, { strict: false }).sign(claims, { expiresIn: -1 }),
      forged: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
      malformed: 'a.b\u00e9.c',
      none: undefined,
    };
    await seed(owner!);
    fingerprintStatement = await statementOfFingerprint();
    fingerprint = await takeFingerprint();
  }, 120_000);

  afterAll(async () => {
    wire.close();
    await app.close();
  });

  async function seed(owner: Account): Promise<void> {
    const created = async (collection: string, body: object) => {
      const { body: answer } = await owner.post(`/api/${collection}`, body).expect(201);
      remember(collection, answer.data.id as string);
      return answer.data.id as string;
    };
    const { body: imported } = await owner
      .post('/api/ext/import/colors')
      .set('Content-Type', 'text/csv')
      .send('name,L,a,b\nx,,,\n')
      .expect(200);
    remember('import', imported.data.refusedRows.id as string);
    const projectId = await created('projects', { name: '项目' });
    for (const L of [40, 50]) {
      const { body } = await owner
        .post('/api/color/formulas', { targetLab: { L, a: 1, b: 1 }, actualLab: { L, a: 1, b: 2 } })
        .expect(201);
      remember('colors', body.data.id as string);
    }
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const ingredientId = await created('ingredients', {
        inciName: `Ingredient ${n}`,
        chineseName: `成分${n}`,
        functionCategory: 'other',
      });
      const formulaId = await created('formulas', {
        name: `配方${n}`,
        projectId,
        phases: [{ name: '水相', sortOrder: 1, ingredients: [{ ingredientId, percentage: 100 }] }],
      });
      await owner.put(`/api/ext/formulas/${formulaId}/profile`, { markets: ['eu'] }).expect(200);
      if (n > 3) await discard(owner, records.get('formulas')!.at(-1)!);
    }
    // Many, because a deletion that succeeds takes one away.
    for (let n = 0; n < 30; n++) {
      const { id } = await importLimits(app.app, `限值 ${n}`);
      remember('limits', id);
    }
  }

  /** A formula of the seed that is in the trash. */
  async function discard(owner: Account, id: string): Promise<void> {
    await owner.delete(`/api/formulas/${id}`).expect(204);
    records.set(
      'formulas',
      records.get('formulas')!.filter((known) => known !== id),
    );
    remember('trash', id);
  }

  async function signIn(username: string): Promise<string> {
    const { body } = await app.http
      .post('/api/auth/login')
      .send({ username, password: 'secret' })
      .expect(200);
    return body.data.token as string;
  }

  function remember(collection: string, id: string): void {
    const known = records.get(collection) ?? [];
    records.set(collection, [...known, id]);
  }

  /**
   * Counts and row versions of all tables: changes with every insert, update and delete, not with a mere
   * lock. Where the background writes too, the contents of the other columns.
   */
  async function statementOfFingerprint(): Promise<string> {
    const tables: { name: string; columns: string[] }[] = await dataSource.query(
      `SELECT table_name AS name, array_agg(column_name::text) AS columns
       FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1 ORDER BY 1`,
    );
    const parts = tables
      .filter(({ name }) => !READ_ONLY_TABLES.has(name))
      .map(({ name, columns }) => {
        const background = BACKGROUND_COLUMNS[name];
        const own = columns.filter((column) => !background?.includes(column)).map((column) => `"${column}"`);
        const version = background
          ? `hashtextextended(ROW(${own.join(', ')})::text, 0)`
          : 'xmin::text::bigint';
        return `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(${version}), 0) AS state FROM "${name}"`;
      });
    return `SELECT string_agg(state, '; ') AS state FROM (${parts.join(' UNION ALL ')}) AS states`;
  }

  async function takeFingerprint(): Promise<string> {
    const [{ state }] = await dataSource.query(fingerprintStatement);
    return state as string;
  }

  const idOf = (collection: string, n: number): string => {
    const known = records.get(collection) ?? [];
    return known[n % known.length] ?? '00000000-0000-0000-0000-00000000dead';
  };

  /** Replaces `@formulas:3` by the id of a record that exists now. */
  const withIds = (text: string): string =>
    text
      .replace(/@([a-z-]+):(\d+):upper/g, (_, collection: string, n: string) =>
        idOf(collection, Number(n)).toUpperCase(),
      )
      .replace(/@([a-z-]+):(\d+)/g, (_, collection: string, n: string) => idOf(collection, Number(n)));

  function send(
    { method, path }: Pick<Operation, 'method' | 'path'>,
    request: Generated,
  ): Promise<RawResponse> {
    const token = tokens[request.signature];
    return wire.send({
      method,
      path: withIds(
        path.replace('{id}', request.id).replace(/\{(?:number|key)\}/, request.number) + request.query,
      ),
      headers: {
        ...request.headers,
        ...request.body?.headers,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body: request.body && Buffer.from(withIds(request.body.content.toString('latin1')), 'latin1'),
    });
  }

  function generated(operation: Operation): fc.Arbitrary<Generated> {
    const schemas = new SchemaArbitraries(document, RULES);
    const { parameters = [], requestBody } = operation.operation;
    const schema = requestBody?.content['application/json']?.schema;
    const collection = collectionOf(operation);
    return fc.record({
      signature: signatures,
      id: operation.path.includes('{id}') ? pathIds(collection) : fc.constant(''),
      number: operation.path.includes('{number}')
        ? numbers
        : operation.path.includes('{key}')
          ? keys
          : fc.constant(''),
      query: queries(parameters, schemas),
      body: schema ? bodies(schemas.valid(schema)) : unexpectedBodies,
      headers,
    });
  }

  function requireError(response: RawResponse, documented: any): void {
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    const body = JSON.parse(response.text);
    const content = documented?.content?.['application/json'];
    const schema = content?.schema ?? { $ref: '#/components/schemas/ErrorDto' };
    expect(validator.faults(schema, body)).toEqual([]);
    expect(body.statusCode).toBe(response.status);
    expect(body.error).not.toBe('');
    expect(Object.keys(ERRORS)).toContain(response.headers['x-error-code']);
  }

  function requireSuccess(response: RawResponse, documented: any, operation: any): void {
    if (response.status === 204) {
      expect(response.text).toBe('');
      return;
    }
    const type = String(response.headers['content-type']).split(';')[0]!;
    // A client may have a stream instead of JSON.
    const content =
      documented.content[type] ??
      (type === 'text/event-stream' && { schema: operation['x-stream-messages'] });
    expect({ type, documented: content?.schema !== undefined }).toEqual({ type, documented: true });
    if (type === 'text/event-stream') requireStream(response.text, content.schema, operation);
    else if (type === 'application/json') {
      expect(validator.faults(content.schema, JSON.parse(response.text))).toEqual([]);
    } else expect(response.text).not.toBe('');
  }

  /** `data: <JSON>` and a blank line, each a documented message. */
  function requireStream(text: string, messages: any, operation: any): void {
    expect(text.endsWith('\n\n')).toBe(true);
    for (const line of text.slice(0, -2).split('\n\n')) {
      expect(line).toMatch(/^data: .*$/);
      const message = JSON.parse(line.slice('data: '.length));
      expect(validator.faults(messages, message)).toEqual([]);
      if (message.type !== 'result') continue;
      expect(validator.faults(operation['x-result-content'], JSON.parse(message.content))).toEqual([]);
    }
  }

  async function check(operation: Operation, request: Generated): Promise<void> {
    const response = await send(operation, request);
    const { status } = response;
    const counts = seen.get(operation.name) ?? new Map<number, number>();
    seen.set(operation.name, counts.set(status, (counts.get(status) ?? 0) + 1));

    expect(status).toBeLessThan(500);
    const resolve = (answer: any) =>
      answer?.$ref ? (document.components as any).responses[answer.$ref.split('/').at(-1)] : answer;
    const documented = resolve(operation.operation.responses[status]);
    const before = fingerprint;
    fingerprint = await takeFingerprint();
    if (status >= 400) {
      // A path or a body that no operation can read is not the operation's to document.
      if (![400, 404, 413, 415, 431].includes(status)) expect(documented).toBeDefined();
      requireError(response, documented);
      expect(fingerprint).toBe(before);
      return;
    }
    expect({ status, documented: documented !== undefined }).toEqual({ status, documented: true });
    requireSuccess(response, documented, operation.operation);
    if (operation.name === ENDING_TOKENS[0]) tokens[request.signature] = await signIn(request.signature);
    if (operation.name === ENDING_TOKENS[1])
      tokens[request.signature] = JSON.parse(response.text).data.token as string;
    const collection = collectionOf(operation);
    if (status === 201 && records.has(collection))
      remember(collection, JSON.parse(response.text).data.id as string);
    if (operation.name === 'POST /api/ext/trash/{id}/restore') {
      const id = withIds(request.id).toLowerCase();
      records.set(
        'trash',
        records.get('trash')!.filter((known) => known !== id),
      );
      remember('formulas', id);
    }
    const isMerge = operation.name.endsWith('/merge') && status === 200;
    if ((status === 204 || isMerge) && request.id !== '') {
      const id = withIds(request.id).toLowerCase();
      if (collection === 'formulas') remember('trash', id);
      records.set(
        collection,
        records.get(collection)!.filter((known) => known !== id),
      );
    }
  }

  async function explore(operation: Operation): Promise<void> {
    await fc.assert(
      fc.asyncProperty(generated(operation), async (request) => {
        try {
          await check(operation, request);
        } catch (error) {
          const body = request.body?.content.toString('utf8').slice(0, 2000);
          const shown = { ...request, ...(request.body ? { body: { ...request.body, content: body } } : {}) };
          throw new Error(`${operation.name} ${withIds(JSON.stringify(shown))}`, { cause: error });
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  }

  it('covers every operation of the document', async () => {
    // Settings first, so that the rest runs under them; creations before the others, so that they find
    // records; formulas are deleted before what they refer to.
    const order = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
    const rank = ({ name, method }: Operation) => {
      if (name === 'PUT /api/config') return -1;
      if (ENDING_TOKENS.includes(name)) return order.length + ENDING_TOKENS.indexOf(name);
      return order.indexOf(method) - (name === 'DELETE /api/formulas/{id}' ? 0.5 : 0);
    };
    const operations = operationsOf(document).sort((one, two) => rank(one) - rank(two));
    for (const operation of operations) await explore(operation);

    // A generator that is always refused, or never, would prove little.
    for (const { name } of operations) {
      const statuses = [...(seen.get(name)?.keys() ?? [])];
      expect({
        name,
        succeeds: SELDOM_SUCCEEDS.has(name) || statuses.some((status) => status < 300),
        refuses: statuses.some((status) => status >= 400),
      }).toEqual({ name, succeeds: true, refuses: true });
    }
  }, 600_000);

  it('covers what is no operation', async () => {
    const methods = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
    );
    const paths = fc.oneof(
      fc.constantFrom(
        '/',
        '/api',
        '/api/',
        '//api//formulas',
        '/api/nothing',
        '/api/formulas/x/y/z',
        '/api/docs/../formulas',
        '/API/HEALTH',
        '/api/health/',
        '/%',
        '/api/%ZZ',
        '/api/formulas/%E4%BD',
        '/favicon.ico',
        '/api/docs/nothing.js',
        '/api/docs/%00',
        '/api/docs/%2e%2e%2fpackage.json',
        '/?a[b]=1',
        `/${'x'.repeat(5000)}`,
      ),
      pathIds('formulas').map((id) => `/api/formulas/${id}`),
      pathIds('formulas').map((id) => `/api/${id}`),
    );
    await fc.assert(
      fc.asyncProperty(
        methods,
        paths,
        fc.record({
          signature: signatures,
          id: fc.constant(''),
          number: fc.constant(''),
          query: fc.constantFrom('', '?x=1', '?a=%ZZ', '?a[__proto__]=1'),
          body: unexpectedBodies,
          headers,
        }),
        async (method, path, request) => {
          const response = await send({ method, path }, request);
          expect(response.status).toBeLessThan(500);
          const before = fingerprint;
          fingerprint = await takeFingerprint();
          if (response.status < 400) return;
          if (method !== 'HEAD') requireError(response, undefined);
          expect(fingerprint).toBe(before);
        },
      ),
      { numRuns: RUNS * 3, seed: SEED },
    );
  }, 600_000);
});
