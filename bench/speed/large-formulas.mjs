/*
 * Formulas of up to 1 000 lines and 200 phases, the most there may be, created, revised and read, in three
 * shapes: the time per line has to stay the same, whether the lines stand in one phase, in phases of five, or
 * each in a phase of its own.
 *
 *   node bench/speed/large-formulas.mjs          (npm run build first; PostgreSQL as in compare.mjs)
 */
import { createServer } from 'node:net';
import { createDatabase, dropDatabase } from './databases.mjs';
import { JWT_SECRET } from './data.mjs';
import { startServer } from './processes.mjs';

const MOST_PHASES = 200;
const SIZES = [50, 100, 200, 500, 1000];
const SHAPES = {
  'one phase': (lines) => [lines],
  'phases of 5': (lines) => Array.from({ length: lines / 5 }, () => 5),
  'a phase per line': (lines) => Array.from({ length: lines }, () => 1),
};
const REPEATS = Number(process.env.BENCH_ROUNDS ?? 7);
const median = (values) => values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)];

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** A composition of this many lines whose percentages come to 100. */
function composition(sizes, ingredientIds) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let position = 0;
  return sizes.map((size, phase) => ({
    name: `Phase ${phase + 1}`,
    sortOrder: phase + 1,
    ingredients: Array.from({ length: size }, () => ({
      ingredientId: ingredientIds[position++ % ingredientIds.length],
      percentage: 100 / total,
      processNotes: 'stir until clear',
    })),
  }));
}

async function timed(samples, work) {
  const started = performance.now();
  const result = await work();
  samples.push(performance.now() - started);
  return result;
}

async function main() {
  const database = await createDatabase('formula_bench_large');
  const service = await startServer(
    'service',
    '../../dist/main.js',
    {
      DATABASE_URL: database,
      JWT_SECRET,
      NODE_ENV: 'production',
      THROTTLE_LIMIT: '1000000000',
      LOG_LEVEL: 'error',
    },
    await freePort(),
  );
  let token;
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text).data;
  };
  token = (await call('POST', '/auth/register', { username: 'bench', password: 'bench-secret' })).token;
  const ingredientIds = [];
  for (let n = 0; n < 50; n++) {
    const input = { inciName: `INCI ${n}`, chineseName: `成分${n}`, functionCategory: 'other' };
    ingredientIds.push((await call('POST', '/ingredients', input)).id);
  }

  const table = [
    '| shape | lines | create µs/line | revise µs/line | read µs/line |',
    '|---|---|---|---|---|',
  ];
  for (const [shape, sizesOf] of Object.entries(SHAPES)) {
    for (const lines of SIZES.filter((size) => sizesOf(size).length <= MOST_PHASES)) {
      const phases = composition(sizesOf(lines), ingredientIds);
      const samples = { create: [], revise: [], read: [] };
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const { id } = await timed(samples.create, () =>
          call('POST', '/formulas', { name: 'Large', phases }),
        );
        await timed(samples.revise, () => call('PUT', `/formulas/${id}/composition`, { phases }));
        await timed(samples.read, () => call('GET', `/formulas/${id}`));
      }
      const perLine = ['create', 'revise', 'read'].map((name) =>
        ((median(samples[name]) * 1000) / lines).toFixed(1),
      );
      table.push(`| ${shape} | ${lines} | ${perLine.join(' | ')} |`);
      process.stderr.write(`${table.at(-1)}\n`);
    }
  }
  await service.stop();
  await dropDatabase('formula_bench_large');
  process.stdout.write(`${table.join('\n')}\n`);
}

await main();
