/*
 * A rolling upgrade: the build of another commit and the present one at once on one PostgreSQL. The older
 * starts first, the present one beside it and migrates; each reads what the other writes, the older one is
 * replaced, and taken back. COMMIT is the one before this unless given; DIRECTORY is one with a build of it.
 *
 *   DATABASE_URL=postgres://.../an_empty_database node scripts/rolling-upgrade.mjs [COMMIT | --before DIRECTORY]
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildOfCommit } from './build-of-commit.cjs';
import { ensureBuilt, root } from './built.mjs';

const { values, positionals } = parseArgs({
  options: { before: { type: 'string' } },
  allowPositionals: true,
});
const [commit = 'HEAD~1'] = positionals;
const { DATABASE_URL, PATH } = process.env;
if (!DATABASE_URL) throw new Error('DATABASE_URL must name an empty database');

/** A service, and the address it says it listens on. */
async function start(name, directory, settings = {}) {
  const env = {
    PATH,
    DATABASE_URL,
    PORT: '0',
    HOST: '127.0.0.1',
    JWT_SECRET: 'of a rolling upgrade',
    ...settings,
  };
  const child = spawn(process.execPath, ['dist/main.js'], { cwd: directory, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  let code;
  void ended.then((status) => (code = status));
  while (!/Listening on/.test(output)) {
    if (code !== undefined) throw new Error(`${name} has not started:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const base = /Listening on (\S+)/.exec(output)[1].replace('localhost', '127.0.0.1');
  console.log(`${name} listens`);
  const stop = async () => {
    child.kill('SIGTERM');
    if ((await ended) !== 0) throw new Error(`${name} has not stopped cleanly:\n${output}`);
    console.log(`${name} has stopped`);
  };
  return { name, base, stop, kill: () => child.kill('SIGKILL') };
}

let token;
async function ask({ name, base }, path, body, status = body ? 201 : 200) {
  const answer = await fetch(base + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`${name}: ${path} gave ${answer.status} ${text}`);
  return JSON.parse(text).data;
}

/** What one writes the other reads. */
async function exchange(writer, reader) {
  const mark = `${writer.name} ${Date.now()}`;
  const ingredient = await ask(writer, '/ingredients', {
    inciName: mark,
    chineseName: mark,
    functionCategory: 'other',
  });
  const phases = [
    { name: 'A', sortOrder: 1, ingredients: [{ ingredientId: ingredient.id, percentage: 100 }] },
  ];
  const project = await ask(writer, '/projects', { name: mark });
  const formula = await ask(writer, '/formulas', { name: mark, projectId: project.id, phases });
  const read = await ask(reader, `/formulas/${formula.id}`);
  if (read.name !== mark || read.project?.name !== mark)
    throw new Error(`${reader.name} reads something else`);
  await ask(reader, `/formulas?search=${encodeURIComponent(mark)}`);
  console.log(`${reader.name} reads what ${writer.name} has written`);
}

const directory = values.before ?? buildOfCommit(commit);
const running = [];
const run = async (...given) => {
  const service = await start(...given);
  running.push(service);
  return service;
};
try {
  ensureBuilt();

  const older = await run('the older build', directory);
  token = (await ask(older, '/auth/register', { username: 'ada', password: 'secret' })).token;
  const present = await run('the present build', root);
  await exchange(older, present);
  await exchange(present, older);
  await older.stop();
  await exchange(present, present);
  const back = await run('the older build, taken back', directory, { DATABASE_ALLOW_NEWER_SCHEMA: 'true' });
  await exchange(back, present);
  await exchange(present, back);
  await present.stop();
  await back.stop();
} finally {
  for (const service of running) service.kill();
  if (values.before === undefined) rmSync(directory, { recursive: true, force: true });
}
