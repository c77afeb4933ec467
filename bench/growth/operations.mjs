import { KINDS } from './seed.mjs';

const PAGE = 20;
const get = (path) => ({ method: 'GET', path });
const list = (page) => get(`/api/formulas?page=${page}&limit=${PAGE}`);
const search = (text) => get(`/api/formulas?search=${encodeURIComponent(text)}`);

/** One or two letters wrong, or two exchanged, by turns. */
function misspelt(word, number) {
  const at = 1 + (number % (word.length - 2));
  const letters = [...word];
  if (number % 3 === 0) return letters.toSpliced(at, 1, 'x').join('');
  if (number % 3 === 1) return letters.toSpliced(at, 2, letters[at + 1], letters[at]).join('');
  return letters
    .toSpliced(at, 1)
    .toSpliced(0, 1, letters[0] === 'c' ? 'k' : 'c')
    .join('');
}

/** Letters that no word has. */
const unknown = (number) => `qx${number.toString(26).replace(/\d/g, 'w')}zjqvx`;

/**
 * What one client asks for: `request(number, { formulas, words, made })`, with the words that formulas are
 * called after and the formulas created before; `aims` are the most growth from 1 000 formulas to 100 000.
 */
export const operations = {
  firstPage: { title: 'list, first page', aims: [2], request: () => list(1) },
  page50: { title: 'list, page 50', aims: [2], request: () => list(50) },
  middlePage: {
    title: 'list, middle page',
    request: (_, { formulas }) => list(formulas / PAGE / 2),
  },
  lastPage: {
    title: 'list, last page',
    aims: [2],
    request: (_, { formulas }) => list(formulas / PAGE),
  },
  projects: { title: 'projects with their counts', aims: [2], request: () => get('/api/projects') },
  nothing: { title: 'search without a hit', aims: [3], request: (n) => search(unknown(n)) },
  sixteen: {
    title: 'search for 16 misspelt words',
    aims: [3],
    request: (n) => search(Array.from({ length: 16 }, (_, at) => unknown(n * 16 + at)).join(' ')),
  },
  typing: {
    title: 'search with typing errors',
    aims: [3],
    request: (n, { words }) =>
      search(misspelt(n % 10 === 0 ? KINDS[n % KINDS.length] : words[(n * 7919) % words.length], n)),
  },
  rare: {
    title: 'search for a rare text',
    request: (n, { formulas }) => search(`B-${1 + ((n * 7919) % formulas)}`),
  },
  common: { title: 'search for a common word (a tenth of all)', request: () => search('cream') },
  ingredients: {
    title: 'ingredient search, 20 000 ingredients at each size',
    request: (n, { words }) => get(`/api/ingredients?search=${words[(n * 7919) % words.length]}`),
  },
  create: {
    title: 'create a formula',
    aims: [2],
    request: (n, { ingredientIds }) => ({
      method: 'POST',
      path: '/api/formulas',
      body: { name: `Bench ${n}`, phases: phasesOf(ingredientIds) },
    }),
  },
  revise: {
    title: 'revise it',
    aims: [2],
    request: (n, { made, ingredientIds }) => ({
      method: 'PUT',
      path: `/api/formulas/${made[n % made.length]}/composition`,
      body: { phases: phasesOf(ingredientIds) },
    }),
  },
};

/** Three phases of four lines. */
const phasesOf = (ingredientIds) =>
  [0, 1, 2].map((phase) => ({
    name: `Phase ${phase + 1}`,
    sortOrder: phase + 1,
    ingredients: [0, 1, 2, 3].map((line) => ({
      ingredientId: ingredientIds[phase * 4 + line],
      percentage: 8.33,
    })),
  }));
