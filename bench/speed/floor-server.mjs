/*
 * The floor: what a hand-written server without framework, ORM or layers needs for the same answers with the
 * same checks (token signature and expiry, user existence, validation, percentage sum, totals counted in the
 * database). One JSON-building prepared statement per request, with the user's existence in it. Only the
 * benchmark uses it.
 */
import { createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const { DATABASE_URL, JWT_SECRET } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const iso = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function userOf(request) {
  const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const [head, body, signature] = (token ?? '').split('.');
  if (!signature) throw new Refusal(401, '未登录或登录已过期');
  const expected = createHmac('sha256', JWT_SECRET).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Refusal(401, '未登录或登录已过期');
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (alg !== 'HS256' || claims.exp * 1000 <= Date.now()) throw new Refusal(401, '未登录或登录已过期');
  return claims.sub;
}

function sign(claims) {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, iat: now, exp: now + 86_400 })}`;
  return `${text}.${createHmac('sha256', JWT_SECRET).update(text).digest('base64url')}`;
}

/** Runs a prepared statement whose one row has `me` (the user exists) and `json`. */
async function answer(name, text, values) {
  const { rows } = await pool.query({ name, text, values });
  const [row] = rows;
  if (!row?.me) throw new Refusal(401, '未登录或登录已过期');
  return row;
}

/** One statement: the user's existence beside the answer. $1 is the user. */
const withUser = (json) => `SELECT EXISTS (SELECT FROM users WHERE id = $1) AS me, (${json})::text AS json`;

const INGREDIENT = `id, inci_name AS "inciName", chinese_name AS "chineseName", function_category AS "functionCategory",
  supplier, unit, unit_price AS "unitPrice", description, ${iso('created_at')} AS "createdAt"`;

const FORMULA = `f.id, f.name, f.description, f.project_id AS "projectId", f.current_version AS "currentVersion",
  f.created_by AS "createdBy", ${iso('f.created_at')} AS "createdAt", ${iso('f.updated_at')} AS "updatedAt",
  (SELECT row_to_json(x) FROM (SELECT p.id, p.name FROM projects p WHERE p.id = f.project_id) x) AS project`;

const documentOf = (from, phases, lines) => `
  SELECT row_to_json(d) FROM (SELECT ${FORMULA}, array_to_json(ARRAY(SELECT row_to_json(vv) FROM (
    SELECT v.id, v.version_number AS "versionNumber", v.description, v.snapshot_data AS "snapshotData",
      v.created_by AS "createdBy", ${iso('v.created_at')} AS "createdAt",
      array_to_json(ARRAY(SELECT row_to_json(pp) FROM (
        SELECT ph.id, v.id AS "formulaId", ph.name, ph.sort_order AS "sortOrder",
          array_to_json(ARRAY(SELECT row_to_json(ll) FROM (
            SELECT l.id, l.ingredient_id AS "ingredientId", l.percentage, l.process_notes AS "processNotes",
              (SELECT row_to_json(n) FROM (SELECT l.ingredient_id AS id, l.inci_name AS "inciName",
                l.chinese_name AS "chineseName") n) AS ingredient
            FROM ${lines} ORDER BY l.position) ll)) AS ingredients
        FROM ${phases} ORDER BY ph.sort_order, ph.position) pp)) AS phases) vv)) AS versions
  FROM ${from}) d`;

const DETAIL = withUser(
  documentOf(
    `formulas f JOIN formula_versions v ON v.formula_id = f.id AND v.version_number = f.current_version WHERE f.id = $2`,
    'formula_phases ph WHERE ph.formula_version_id = v.id',
    `(SELECT l.*, i.inci_name, i.chinese_name FROM formula_ingredients l JOIN ingredients i ON i.id = l.ingredient_id
      WHERE l.phase_id = ph.id) l`,
  ),
);

const write = (formula) => `
  WITH me AS (SELECT id FROM users WHERE id = $1), f AS (${formula}),
  ph AS MATERIALIZED (SELECT gen_random_uuid() AS id, s.* FROM unnest($2::text[], $3::int[])
    WITH ORDINALITY AS s (name, sort_order, position)),
  l AS MATERIALIZED (SELECT gen_random_uuid() AS id, ph.id AS phase_id, s.*, i.inci_name, i.chinese_name
    FROM unnest($4::int[], $5::uuid[], $6::numeric[], $7::text[])
      WITH ORDINALITY AS s (phase_number, ingredient_id, percentage, process_notes, position)
    JOIN ph ON ph.position = s.phase_number LEFT JOIN ingredients i ON i.id = s.ingredient_id),
  v AS (INSERT INTO formula_versions (formula_id, version_number, snapshot_data, created_by, created_at)
    SELECT f.id, f.current_version, (SELECT row_to_json(s) FROM (SELECT array_to_json(ARRAY(SELECT row_to_json(p) FROM (
      SELECT ph.name, ph.sort_order AS "sortOrder", array_to_json(ARRAY(SELECT row_to_json(k) FROM (
        SELECT l.ingredient_id AS "ingredientId", l.inci_name AS "inciName", l.chinese_name AS "chineseName",
          l.percentage, l.process_notes AS "processNotes" FROM l WHERE l.phase_id = ph.id ORDER BY l.position) k))
        AS ingredients FROM ph ORDER BY ph.sort_order, ph.position) p)) AS phases) s), $1::uuid, f.updated_at
    FROM f RETURNING *),
  sp AS (INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
    SELECT ph.id, v.id, ph.name, ph.sort_order, ph.position FROM ph, v),
  sl AS (INSERT INTO formula_ingredients (id, formula_version_id, phase_id, ingredient_id, percentage, process_notes, position)
    SELECT l.id, v.id, l.phase_id, l.ingredient_id, l.percentage, l.process_notes, l.position FROM l, v)
  SELECT EXISTS (SELECT FROM me) AS me, (${documentOf('f, v', 'ph', '(SELECT * FROM l WHERE l.phase_id = ph.id) l')})::text AS json`;

const CREATE = write(`INSERT INTO formulas (name, description, project_id, created_by)
  SELECT $8, $9, $10::uuid, me.id FROM me RETURNING *`);
// Ownership in the statement: the creator or an admin.
const REVISE =
  write(`UPDATE formulas SET current_version = current_version + 1, updated_at = clock_timestamp()
  WHERE id = $8::uuid AND EXISTS (SELECT FROM users u WHERE u.id = $1 AND (u.id = created_by OR u.role = 'admin'))
  RETURNING *`);

const LISTED = `f.id, f.name, f.description, f.current_version AS "currentVersion", f.created_by AS "createdBy",
  ${iso('f.created_at')} AS "createdAt", ${iso('f.updated_at')} AS "updatedAt",
  (SELECT row_to_json(x) FROM (SELECT p.id, p.name FROM projects p WHERE p.id = f.project_id) x) AS project`;

const pageOf = (total, rows) =>
  `SELECT json_build_object('total', (${total}), 'data', array_to_json(ARRAY(${rows})))`;

const listFrom = (formulas) =>
  withUser(
    pageOf(
      `SELECT count(*) FROM ${formulas}`,
      `SELECT row_to_json(x) FROM (SELECT ${LISTED} FROM (SELECT id FROM ${formulas}
        ORDER BY updated_at DESC, id DESC LIMIT $2 OFFSET $3) c JOIN formulas f USING (id)
        ORDER BY f.updated_at DESC, f.id DESC) x`,
    ),
  );
const LIST = listFrom('formulas');
// Found once, by a pattern made once: one plan serves all.
const SEARCH = `WITH found AS MATERIALIZED (
  SELECT id, updated_at FROM formulas WHERE search_key LIKE (SELECT search_key($4))) ${listFrom('found')}`;

const INGREDIENTS = withUser(
  pageOf(
    'SELECT count(*) FROM ingredients',
    `SELECT row_to_json(x) FROM (SELECT ${INGREDIENT} FROM ingredients
      ORDER BY created_at DESC, id LIMIT $2 OFFSET $3) x`,
  ),
);

const fits = (pattern) => `search_key LIKE (SELECT ${pattern} FROM asked)`;
// Where the name is the text, begins with it, has it as a word, or anywhere.
const INGREDIENT_SEARCH = `WITH asked AS MATERIALIZED (
    SELECT '%' || k || '%' AS anywhere, k || '%' AS first, '%' || s || k || '%' AS second, k || s || '%' AS all_first,
           '%' || s || k AS all_second, '(?<![[:alnum:]])' || search_key($6) || '(?![[:alnum:]])' AS word
    FROM (SELECT search_key($5) AS k, U&'\\001F' AS s) t),
  found AS MATERIALIZED (
    SELECT id AS chosen, created_at AS made, CASE
      WHEN ${fits('first')} OR ${fits('second')} THEN CASE WHEN ${fits('all_first')} OR ${fits('all_second')} THEN 0 ELSE 1 END
      WHEN search_key ~ (SELECT word FROM asked) THEN 2 ELSE 3 END AS fit
    FROM ingredients WHERE function_category = $4 AND ${fits('anywhere')})
  ${withUser(
    pageOf(
      'SELECT count(*) FROM found',
      `SELECT row_to_json(x) FROM (SELECT ${INGREDIENT} FROM (SELECT * FROM found
        ORDER BY fit, made DESC, chosen LIMIT $2 OFFSET $3) c JOIN ingredients ON id = chosen
        ORDER BY fit, made DESC, chosen) x`,
    ),
  )}`;

/** `{ total, data }` from the database as the list envelope, without parsing the rows. */
function envelope(json, page, limit) {
  const [, total, data] = /^\{"total" : (\d+), "data" : ([\s\S]*)\}$/.exec(json);
  const pages = Math.ceil(Number(total) / limit);
  return `{"data":${data},"pagination":{"page":${page},"limit":${limit},"total":${total},"totalPages":${pages}}}`;
}

const literal = (text) => text.replace(/[\\%_]/g, '\\$&');
const literalRegex = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function paging(query) {
  const page = Number(query.get('page') ?? 1);
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(page) || page < 1) throw new Refusal(400, 'page: 不能小于1');
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw new Refusal(400, 'limit: 不能大于100');
  return { page, limit, offset: (page - 1) * limit };
}

function composition(body) {
  if (!Array.isArray(body.phases) || body.phases.length < 1) throw new Refusal(400, 'phases: 不能为空');
  const lines = [];
  let sum = 0;
  for (const [index, phase] of body.phases.entries()) {
    if (typeof phase.name !== 'string' || !Number.isInteger(phase.sortOrder))
      throw new Refusal(400, 'phases');
    if (!Array.isArray(phase.ingredients) || phase.ingredients.length < 1) throw new Refusal(400, 'phases');
    for (const line of phase.ingredients) {
      if (!UUID.test(line.ingredientId) || !(line.percentage > 0) || line.percentage > 100)
        throw new Refusal(400, 'phases');
      // Scaled integers are exact for the benchmark's two decimals.
      sum += Math.round(line.percentage * 1e6);
      lines.push([index + 1, line.ingredientId, line.percentage, line.processNotes ?? null]);
    }
  }
  if (sum < 99.5e6 || sum > 100.5e6)
    throw new Refusal(400, `phases: 所有成分百分比之和必须在99.5到100.5之间,当前为${sum / 1e6}`);
  const column = (index) => lines.map((line) => line[index]);
  return [
    body.phases.map((p) => p.name),
    body.phases.map((p) => p.sortOrder),
    column(0),
    column(1),
    column(2),
    column(3),
  ];
}

const MATCH_CANDIDATES = 64;

async function match(user, query) {
  const [L, a, b] = ['L', 'a', 'b'].map((name) => Number(query.get(name)));
  if (![L, a, b].every(Number.isFinite) || L < 0 || L > 100) throw new Refusal(400, 'L: 不能大于100');
  const limit = Number(query.get('limit') ?? 5);
  const { me, json } = await answer(
    'match',
    withUser(`SELECT array_to_json(ARRAY(SELECT row_to_json(x) FROM (
      SELECT id, name, l, a, b, delta_e, colorant_composition FROM color_formulas
      ORDER BY cube(ARRAY[l, a, b]) <-> cube($2::float8[]) LIMIT ${MATCH_CANDIDATES}) x))`),
    [user, [L, a, b]],
  );
  void me;
  const { differenceCiede2000 } = await culori;
  const difference = differenceCiede2000();
  const data = JSON.parse(json)
    .map((row) => ({
      id: row.id,
      name: row.name,
      targetLab: { L: row.l, a: row.a, b: row.b },
      deltaE: row.delta_e,
      colorantComposition: row.colorant_composition,
      distance: difference({ mode: 'lab65', l: L, a, b }, { mode: 'lab65', l: row.l, a: row.a, b: row.b }),
    }))
    .sort((x, y) => x.distance - y.distance)
    .slice(0, limit);
  return JSON.stringify({ data });
}
const culori = import('culori');

const derive = (password, salt) =>
  new Promise((resolve, reject) =>
    scrypt(password, salt, 64, (error, key) => (error ? reject(error) : resolve(key))),
  );

async function login({ username, password }) {
  if (!username) throw new Refusal(400, '用户名不能为空');
  if (!password) throw new Refusal(400, '密码不能为空');
  const { rows } = await pool.query({
    name: 'login',
    text: 'SELECT id, username, role, password_hash FROM users WHERE username = $1',
    values: [username],
  });
  const [salt, hash] = (rows[0]?.password_hash ?? `${'0'.repeat(32)}:${'0'.repeat(128)}`).split(':');
  const actual = await derive(password, Buffer.from(salt, 'hex'));
  if (!timingSafeEqual(actual, Buffer.from(hash, 'hex')) || !rows[0])
    throw new Refusal(401, '用户名或密码错误');
  const { id, role } = rows[0];
  return JSON.stringify({ data: { id, username, role, token: sign({ sub: id, username, role }) } });
}

function read(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString()));
      } catch {
        reject(new Refusal(400, '请求体不是有效的 JSON'));
      }
    });
    request.on('error', reject);
  });
}

const required = (row, message) => {
  if (row.json === null) throw new Refusal(404, message);
  return `{"data":${row.json}}`;
};

/** @returns [status, JSON text] */
async function handle(request) {
  const url = new URL(request.url, 'http://floor');
  const path = url.pathname;
  const query = url.searchParams;
  if (path === '/api/health') return [200, `{"status":"ok","timestamp":"${new Date().toISOString()}"}`];
  if (path === '/api/auth/login') return [200, await login(await read(request))];
  const user = userOf(request);
  try {
    return await handleFor(user, request, path, query);
  } catch (error) {
    // What is wrong with the input is told only to a user who exists.
    if (error.status === 400) await answer('me', ME, [user]);
    throw error;
  }
}

const ME = `SELECT true AS me, row_to_json(x)::text AS json FROM (SELECT id, username, role FROM users WHERE id = $1) x`;

async function handleFor(user, request, path, query) {
  const { method } = request;
  if (path === '/api/auth/me') return [200, required(await answer('me', ME, [user]))];
  if (path === '/api/ingredients') {
    const { page, limit, offset } = paging(query);
    const search = query.get('search');
    const category = query.get('category');
    const row =
      search && category
        ? await answer('ingredients-search', INGREDIENT_SEARCH, [
            user,
            limit,
            offset,
            category,
            literal(search),
            literalRegex(search),
          ])
        : await answer('ingredients-page', INGREDIENTS, [user, limit, offset]);
    return [200, envelope(row.json, page, limit)];
  }
  if (path === '/api/formulas' && method === 'GET') {
    const { page, limit, offset } = paging(query);
    const search = query.get('search');
    const row = search
      ? await answer('formulas-search', SEARCH, [user, limit, offset, `%${literal(search)}%`])
      : await answer('formulas', LIST, [user, limit, offset]);
    return [200, envelope(row.json, page, limit)];
  }
  if (path === '/api/formulas' && method === 'POST') {
    const body = await read(request);
    const parts = composition(body);
    const row = await answer('create', CREATE, [
      user,
      ...parts,
      body.name,
      body.description ?? null,
      body.projectId ?? null,
    ]);
    return [201, required(row)];
  }
  if (path === '/api/color/formulas/match') return [200, await match(user, query)];
  if (path === '/api/color/formulas' && method === 'POST') {
    const body = await read(request);
    const { L, a, b } = body.targetLab ?? {};
    if (![L, a, b].every(Number.isFinite) || L < 0 || L > 100)
      throw new Refusal(400, 'targetLab.L: 不能大于100');
    const row = await answer(
      'create-color',
      `WITH me AS (SELECT id FROM users WHERE id = $1), c AS (
         INSERT INTO color_formulas (name, l, a, b, delta_e, colorant_composition, created_by)
         SELECT $2, $3::float8, $4::float8, $5::float8, $6::float8, $7::json, me.id FROM me RETURNING *)
       SELECT EXISTS (SELECT FROM me) AS me, (SELECT row_to_json(x) FROM (
         SELECT id, name, json_build_object('L', l, 'a', a, 'b', b) AS "targetLab", null AS "actualLab",
           delta_e AS "deltaE", colorant_composition AS "colorantComposition", formula_id AS "formulaId",
           created_by AS "createdBy", ${iso('created_at')} AS "createdAt" FROM c) x)::text AS json`,
      [
        user,
        body.name ?? '未命名颜色配方',
        L,
        a,
        b,
        body.deltaE ?? null,
        JSON.stringify(body.colorantComposition ?? null),
      ],
    );
    return [201, required(row)];
  }
  const [, kind, id, rest] = /^\/api\/(ingredients|formulas)\/([^/]+)(\/composition)?$/.exec(path) ?? [];
  if (!kind) throw new Refusal(404, '接口不存在');
  const text = kind === 'ingredients' ? '成分不存在' : '配方不存在';
  if (rest && method === 'PUT') {
    const parts = composition(await read(request));
    return [200, required(await answer('revise', REVISE, [user, ...parts, id]), text)];
  }
  const statement =
    kind === 'ingredients'
      ? withUser(`SELECT row_to_json(x) FROM (SELECT ${INGREDIENT} FROM ingredients WHERE id = $2) x`)
      : DETAIL;
  const known = UUID.test(id) ? id : '00000000-0000-0000-0000-000000000000';
  return [200, required(await answer(`${kind}.one`, statement, [user, known]), text)];
}

const server = createServer((request, response) => {
  handle(request)
    .catch((error) => {
      const status = error.status ?? 500;
      if (status === 500) console.error(error);
      return [status, JSON.stringify({ error: error.message, statusCode: status })];
    })
    .then(([status, text]) => {
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    });
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  process.send?.({ port: server.address().port });
});
process.on('SIGTERM', () => process.exit(0));
