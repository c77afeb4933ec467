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

const KINDS = ['Cream', 'Lotion', 'Serum', 'Gel', 'Cleanser', 'Shampoo', 'Toner', 'Mask'];
const CHINESE = ['保湿', '舒缓', '亮肤', '温和', '修护', '紧致', '哑光', '丝绒'];
const CHINESE_KINDS = ['霜', '乳液', '精华', '凝胶', '洁面', '洗发水', '爽肤水', '面膜'];
const CATEGORIES = [
  ...['emulsifier', 'humectant', 'thickener', 'preservative', 'antioxidant', 'fragrance'],
  ...['colorant', 'ph_adjuster', 'sunscreen', 'surfactant', 'emollient', 'other'],
];
const of = (values, number) => values[Math.floor(number) % values.length];

/**
 * A text that a formula contains, another one at each request, so that no cache answers for the search: the
 * name of one formula, a batch of a few, or two words of a name.
 */
function formulaText(number) {
  const n = spread(number, sizes.formulas);
  if (number % 4 === 0) return `${of(KINDS, n / 8)} ${n}`;
  if (number % 4 === 1) return `batch ${n % 977} `;
  if (number % 4 === 2) return `series ${of(KINDS, n / 5)}`.slice(0, 8 + (number % 5));
  return `${of(CHINESE, n)}${of(CHINESE_KINDS, n / 8)}`;
}

/** The number of an ingredient's name, and the category that this ingredient has. */
function ingredientQuery(number) {
  const n = spread(number, sizes.ingredients);
  const text = number % 2 === 0 ? `extract ${n}` : `成分${n}`;
  return `search=${encodeURIComponent(text)}&category=${of(CATEGORIES, n)}`;
}

const SYLLABLES = [
  'ma',
  'ren',
  'lo',
  'vi',
  'ta',
  'sol',
  'ne',
  'qua',
  'bel',
  'or',
  'is',
  'du',
  'pha',
  'lin',
  'cy',
  'ze',
];

/** A name as laboratories give them: a word that no other formula has, and common ones. */
function newName(number) {
  const word = [...number.toString(16)].map((digit) => SYLLABLES[Number.parseInt(digit, 16)]).join('');
  return `${of(CHINESE, number)}${of(CHINESE_KINDS, number / 8)} ${word} ${of(KINDS, number / 3)} ${number}`;
}

/**
 * Every scenario: `request(number, token)` gives the raw request, `status` is that of every answer.
 */
export const scenarios = {
  health: { title: 'GET /api/health', status: 200, request: () => get('/api/health') },
  me: { title: 'GET /api/auth/me', status: 200, request: (_, token) => get('/api/auth/me', token) },
  formula: {
    title: 'GET /api/formulas/:id',
    status: 200,
    request: (n, token) => get(`/api/formulas/${idOf('formula', spread(n, sizes.formulas))}`, token),
  },
  formulas: {
    title: 'GET /api/formulas?page',
    status: 200,
    request: (n, token) => get(`/api/formulas?page=${1 + (n % 5)}&limit=20`, token),
  },
  deepFormulas: {
    title: 'GET /api/formulas, deep pages',
    status: 200,
    request: (n, token) =>
      get(`/api/formulas?page=${Math.floor(sizes.formulas / 20) - (n % 50)}&limit=20`, token),
  },
  searchFormulas: {
    title: 'GET /api/formulas?search',
    status: 200,
    request: (n, token) => get(`/api/formulas?search=${encodeURIComponent(formulaText(n))}`, token),
  },
  ingredient: {
    title: 'GET /api/ingredients/:id',
    status: 200,
    request: (n, token) => get(`/api/ingredients/${idOf('ingredient', spread(n, sizes.ingredients))}`, token),
  },
  searchIngredients: {
    title: 'GET /api/ingredients?search&category',
    status: 200,
    request: (n, token) => get(`/api/ingredients?${ingredientQuery(n)}`, token),
  },
  ingredients: {
    title: 'GET /api/ingredients?page',
    status: 200,
    request: (n, token) => get(`/api/ingredients?page=${1 + (n % 5)}&limit=20`, token),
  },
  createFormula: {
    title: 'POST /api/formulas (3 × 4 lines)',
    status: 201,
    request: (n, token) => send('POST', '/api/formulas', token, { name: newName(n), phases: phases(n) }),
  },
  revise: {
    title: 'PUT /api/formulas/:id/composition',
    status: 200,
    request: (n, token) =>
      send('PUT', `/api/formulas/${idOf('formula', spread(n, sizes.formulas))}/composition`, token, {
        phases: phases(n),
      }),
  },
  match: {
    title: 'GET /api/color/formulas/match',
    status: 200,
    request: (n, token) =>
      get(
        `/api/color/formulas/match?L=${20 + ((n * 0.37) % 60)}&a=${((n * 7.13) % 80) - 40}&b=${((n * 13.71) % 80) - 40}`,
        token,
      ),
  },
  createColor: {
    title: 'POST /api/color/formulas',
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
    status: 200,
    request: () =>
      send('POST', '/api/auth/login', undefined, { username: USER.username, password: USER.password }),
  },
  unauthorized: { title: 'a 401', status: 401, request: () => get('/api/auth/me', 'not.a.token') },
  notFound: {
    title: 'a 404',
    status: 404,
    request: (_, token) => get('/api/formulas/00000000-0000-4000-8000-000000000000', token),
  },
  badSum: {
    title: 'a 400 on the percentage sum',
    status: 400,
    request: (n, token) => send('POST', '/api/formulas', token, { name: 'Bench', phases: phases(n, 5) }),
  },
  formulaDuringLogins: {
    title: 'formula detail during a flood of logins',
    status: 200,
    beside: 'login',
    request: (n, token) => scenarios.formula.request(n, token),
  },
};
