/*
 * What AI costs the rest of the service, and what the pipeline costs an AI call. Everything is a ratio of two
 * things measured in turns in the same run.
 *
 *   npm run bench:ai -- [--seconds 5] [--rounds 3] [--calls 60] [--write]
 *
 * With --write the table replaces its predecessor in bench/RESULTS.md.
 *
 * BENCH_DATABASE_URL names a PostgreSQL server where databases may be created (default: the embedded database
 * in memory).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import OpenAI from 'openai';
import pg from 'pg';
import { ensureBuilt, root } from '../../scripts/built.mjs';
import { circumstances, writeSection } from '../speed/report.mjs';
import { load, median, quantile, send } from './measure.mjs';

ensureBuilt();

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    calls: { type: 'string', default: '60' },
    write: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(options.seconds);
const ROUNDS = Number(options.rounds);
const CALLS = Number(options.calls);
const WAITING = 200;
const CONNECTIONS = 16;
/** Between two calls that are timed, so that the limit of ten a second makes none of them wait. */
const PAUSE_MS = 150;

const note = (text) => process.stderr.write(`${text}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const lines = (label) => ({ ingredients: [{ name: label, percentage: 5, category: 'humectant' }] });

const database = await openDatabase();
const fake = spawn(process.execPath, [join(root, 'bench', 'ai', 'fake-alpha.mjs')], {
  stdio: ['ignore', 'pipe', 2],
});
const [fakeUrl] = await once(createInterface(fake.stdout), 'line');
const settings = {
  ...process.env,
  ...database.settings,
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'error',
  THROTTLE_LIMIT: '1000000000',
  JWT_SECRET: 'bench-secret-of-no-consequence-at-all',
  AI_MOCK: 'false',
  AI_DEFAULT_MODEL: 'fake',
  ALPHA_API_KEY: 'sk-bench',
  ALPHA_BASE_URL: fakeUrl,
};
delete settings.NODE_ENV;
Object.assign(process.env, settings);

const require = createRequire(import.meta.url);
const { NestFactory } = require('@nestjs/core');
const { AppModule } = require(join(root, 'dist', 'app.module.js'));
const { AiService } = require(join(root, 'dist', 'ai', 'call', 'ai.service.js'));
const { lastValueFrom, tap } = require('rxjs');

const service = spawn(process.execPath, [join(root, 'bench', 'ai', 'service.mjs')], {
  env: settings,
  stdio: ['ignore', 'pipe', 2],
});
const [base] = await once(createInterface(service.stdout), 'line');
const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

try {
  const { text } = await send(agent, base, {
    method: 'POST',
    path: '/api/auth/register',
    body: { username: `bench-${Date.now()}`, password: 'secret' },
  });
  const { token } = JSON.parse(text).data;
  const rows = [...(await whileHanging(token)), await cached(token), ...(await overhead())];
  const table = [
    `${circumstances()}; ${database.name}`,
    '',
    '| what | first | second | ratio |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
  console.log(`\n${table}`);
  if (options.write) writeSection(`AI beside the rest (\`npm run bench:ai\`), ${database.name}`, table);
} finally {
  for (const child of [service, fake]) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  agent.destroy();
  await database.close();
}

/** Ordinary endpoints alone, and while a provider hangs with many requests waiting for it. */
async function whileHanging(token) {
  const probes = ['/api/auth/me', '/api/formulas', '/api/health'];
  const idle = new Map(probes.map((path) => [path, []]));
  const hanging = new Map(probes.map((path) => [path, []]));
  const measure = async (into) => {
    for (const path of probes) {
      const { latencies } = await load(
        agent,
        base,
        { path, token },
        { connections: 4, seconds: SECONDS / 2 },
      );
      into.get(path).push(...latencies);
    }
  };
  await measure(new Map(probes.map((path) => [path, []])));
  for (let round = 0; round < ROUNDS; round++) {
    note(`ordinary endpoints, round ${round + 1}: idle`);
    await measure(idle);
    note(`ordinary endpoints, round ${round + 1}: ${WAITING} requests wait for a provider that hangs`);
    const waiting = new Agent({ keepAlive: false, maxSockets: WAITING });
    for (let number = 0; number < WAITING; number++) {
      const body = lines(`HANG ${round} ${number}`);
      send(waiting, base, { method: 'POST', path: '/api/ai/predict-formula', token, body }).catch(
        () => undefined,
      );
    }
    await sleep(2000);
    await measure(hanging);
    waiting.destroy();
    await sleep(1000);
  }
  const ms = (value) => `${value.toFixed(2)} ms`;
  return probes.flatMap((path) =>
    [0.5, 0.99].map((share) => {
      const [alone, beside] = [quantile(idle.get(path), share), quantile(hanging.get(path), share)];
      return [
        `${path}, p${share * 100}: idle, ${WAITING} waiting`,
        ms(alone),
        ms(beside),
        (beside / alone).toFixed(2),
      ];
    }),
  );
}

/** A cached answer against the cheapest guarded endpoint. */
async function cached(token) {
  const body = lines('cached');
  const predict = { method: 'POST', path: '/api/ai/predict-formula', token, body };
  const me = { path: '/api/auth/me', token };
  await send(agent, base, predict);
  const again = await send(agent, base, predict);
  if (again.headers['x-ai-source'] !== 'cache') throw new Error('The answer was not cached');
  const rates = { me: [], predict: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    note(`cached answers, round ${round}`);
    for (const [name, request] of [
      ['me', me],
      ['predict', predict],
    ]) {
      const { perSecond } = await load(agent, base, request, { connections: CONNECTIONS, seconds: SECONDS });
      // The first round warms up.
      if (round > 0) rates[name].push(perSecond);
    }
  }
  const [first, second] = [median(rates.me), median(rates.predict)];
  return [
    'requests per second: /api/auth/me, a cached prediction',
    first.toFixed(0),
    second.toFixed(0),
    (second / first).toFixed(2),
  ];
}

/**
 * One call through the pipeline (in process, without HTTP of our own) against the same request made with the
 * SDK directly.
 */
async function overhead() {
  note('one call through the pipeline and one with the SDK directly, in turns');
  const own = mkdtempSync(join(tmpdir(), 'bench-ai-'));
  if (!database.settings.DATABASE_URL) process.env.DATA_DIR = own;
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  try {
    const ai = app.get(AiService, { strict: false });
    const { predictFormula } = require(
      join(root, 'dist', 'ai', 'capabilities', 'predict-formula', 'predict-formula.js'),
    );
    const sdk = new OpenAI({ apiKey: 'sk-bench', baseURL: fakeUrl, maxRetries: 0 });
    const direct = async (label) => {
      const { system, user } = predictFormula.prompt(lines(label));
      const completion = await sdk.chat.completions.create({
        model: 'fake',
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
      });
      return JSON.parse(completion.choices[0].message.content);
    };
    const times = { direct: [], pipeline: [], audited: [] };
    for (let call = 0; call < CALLS + 10; call++) {
      for (const [name, make] of [
        ['direct', () => direct(`direct ${call}`)],
        [
          'pipeline',
          (answered) =>
            lastValueFrom(ai.call(predictFormula, lines(`pipeline ${call}`)).pipe(tap(() => answered()))),
        ],
      ]) {
        await sleep(PAUSE_MS);
        const startedAt = performance.now();
        let answeredAt;
        await make(() => (answeredAt = performance.now()));
        const endedAt = performance.now();
        // The first calls warm up.
        if (call < 10) continue;
        times[name].push((answeredAt ?? endedAt) - startedAt);
        if (name === 'pipeline') times.audited.push(endedAt - startedAt);
      }
    }
    const ms = (value) => `${value.toFixed(2)} ms`;
    const [first, answer, audited] = [times.direct, times.pipeline, times.audited].map(median);
    const row = (what, second) => [
      `one call, median: the SDK directly, ${what}`,
      ms(first),
      ms(second),
      `${(second / first).toFixed(2)} (${second < first ? '' : '+'}${ms(second - first)})`,
    ];
    return [row("the pipeline's answer", answer), row('the pipeline to its written audit row', audited)];
  } finally {
    await app.close();
    rmSync(own, { recursive: true, force: true });
  }
}

async function openDatabase() {
  const server = process.env.BENCH_DATABASE_URL;
  if (!server) {
    const directory = mkdtempSync(join(tmpdir(), 'bench-ai-'));
    return {
      name: 'embedded database',
      settings: { DATA_DIR: directory, DATABASE_URL: '' },
      close: async () => rmSync(directory, { recursive: true, force: true }),
    };
  }
  const name = `formula_bench_ai_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await onServer(
    server,
    `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
  );
  return {
    name: 'PostgreSQL server',
    settings: { DATABASE_URL: url.toString() },
    close: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServer(url, statement) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
