import { createHash } from 'node:crypto';
import { sizes, USER } from './data.mjs';

/** The id the seeder gave to record `number` of a kind. */
const idOf = (kind, number) => {
  const hex = createHash('md5').update(`${kind}-${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Spread over all records, the same way every time. */
const spread = (number, of) => 1 + ((number * 7919) % of);

const head = (method, path, token) =>
  `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}`;
const get = (path, token) => `${head('GET', path, token)}\r\n`;
const send = (method, path, token, body) => {
  const text = JSON.stringify(body);
  return `${head(method, path, token)}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

const phases = (number, percentage = 8.33) =>
  Array.from({ length: 3 }, (_, phase) => ({
    name: `Phase ${phase + 1}`,
    sortOrder: phase + 1,
    ingredients: Array.from({ length: 4 }, (_, line) => ({
      ingredientId: idOf('ingredient', spread(number * 12 + phase * 4 + line, sizes.ingredients)),
      percentage,
      processNotes: line === 0 ? 'stir until clear' : undefined,
    })),
  }));

const WORDS = ['Velvet', 'soothing', 'Extract 19', 'firming', 'EXTRACT 7'];
const CATEGORIES = ['humectant', 'emollient', 'surfactant', 'other'];
const FORMULA_WORDS = ['Velvet', '保湿霜', 'serum', 'series Toner', 'trials', '保湿'];

/**
 * Every scenario: what is asked for (`request(number, token)` gives the raw request), the aim as a ratio to
 * the floor server's requests per second, and the status every answer must have.
 */
export const scenarios = {
  health: { title: 'GET /api/health', aim: 0.2, status: 200, request: () => get('/api/health') },
  me: { title: 'GET /api/auth/me', aim: 0.5, status: 200, request: (_, token) => get('/api/auth/me', token) },
  formula: {
    title: 'GET /api/formulas/:id',
    aim: 0.68,
    status: 200,
    request: (n, token) => get(`/api/formulas/${idOf('formula', spread(n, sizes.formulas))}`, token),
  },
  formulas: {
    title: 'GET /api/formulas?page',
    aim: 0.82,
    status: 200,
    request: (n, token) => get(`/api/formulas?page=${1 + (n % 5)}&limit=20`, token),
  },
  deepFormulas: {
    title: 'GET /api/formulas, deep pages',
    aim: 0.9,
    status: 200,
    request: (n, token) =>
      get(`/api/formulas?page=${Math.floor(sizes.formulas / 20) - (n % 50)}&limit=20`, token),
  },
  searchFormulas: {
    title: 'GET /api/formulas?search',
    aim: 0.95,
    status: 200,
    request: (n, token) =>
      get(`/api/formulas?search=${encodeURIComponent(FORMULA_WORDS[n % FORMULA_WORDS.length])}`, token),
  },
  ingredient: {
    title: 'GET /api/ingredients/:id',
    aim: 0.45,
    status: 200,
    request: (n, token) => get(`/api/ingredients/${idOf('ingredient', spread(n, sizes.ingredients))}`, token),
  },
  searchIngredients: {
    title: 'GET /api/ingredients?search&category',
    aim: 0.88,
    status: 200,
    request: (n, token) =>
      get(
        `/api/ingredients?search=${encodeURIComponent(WORDS[n % WORDS.length])}&category=${CATEGORIES[n % CATEGORIES.length]}`,
        token,
      ),
  },
  ingredients: {
    title: 'GET /api/ingredients?page',
    aim: 0.72,
    status: 200,
    request: (n, token) => get(`/api/ingredients?page=${1 + (n % 5)}&limit=20`, token),
  },
  createFormula: {
    title: 'POST /api/formulas (3 × 4 lines)',
    aim: 0.9,
    status: 201,
    request: (n, token) => send('POST', '/api/formulas', token, { name: `Bench ${n}`, phases: phases(n) }),
  },
  revise: {
    title: 'PUT /api/formulas/:id/composition',
    aim: 0.95,
    status: 200,
    request: (n, token) =>
      send('PUT', `/api/formulas/${idOf('formula', spread(n, sizes.formulas))}/composition`, token, {
        phases: phases(n),
      }),
  },
  match: {
    title: 'GET /api/color/formulas/match',
    aim: 0.87,
    status: 200,
    request: (n, token) =>
      get(
        `/api/color/formulas/match?L=${20 + (n % 60)}&a=${((n * 7) % 80) - 40}&b=${((n * 13) % 80) - 40}`,
        token,
      ),
  },
  createColor: {
    title: 'POST /api/color/formulas',
    aim: 0.6,
    status: 201,
    request: (n, token) =>
      send('POST', '/api/color/formulas', token, {
        name: `Shade ${n}`,
        targetLab: { L: 50.5, a: (n % 100) / 10, b: (n % 77) / 7 },
        colorantComposition: [{ name: 'CI 77491', ratio: 0.6 }],
      }),
  },
  login: {
    title: 'POST /api/auth/login',
    aim: 0.97,
    status: 200,
    request: () =>
      send('POST', '/api/auth/login', undefined, { username: USER.username, password: USER.password }),
  },
  unauthorized: { title: 'a 401', aim: 0.2, status: 401, request: () => get('/api/auth/me', 'not.a.token') },
  notFound: {
    title: 'a 404',
    aim: 0.45,
    status: 404,
    request: (_, token) => get('/api/formulas/00000000-0000-4000-8000-000000000000', token),
  },
  badSum: {
    title: 'a 400 on the percentage sum',
    aim: 0.4,
    status: 400,
    request: (n, token) => send('POST', '/api/formulas', token, { name: 'Bench', phases: phases(n, 5) }),
  },
  formulaDuringLogins: {
    title: 'formula detail during a flood of logins',
    aim: 0.9,
    status: 200,
    beside: 'login',
    request: (n, token) => scenarios.formula.request(n, token),
  },
};
