/*
 * npm run bench:extraction: milliseconds in which the plain reader reads texts of 10 000 and of 20 000
 * characters, usual and hostile ones. With --write the table replaces its predecessor in bench/RESULTS.md.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { circumstances, writeSection } from '../speed/report.mjs';

const require = createRequire(import.meta.url);
const { readFormulaText } = require('../../dist/formula-text/read-formula-text.js');
const texts = (name) =>
  JSON.parse(readFileSync(new URL(`../../test/formula-texts/${name}`, import.meta.url)));

const RUNS = 21;
const median = (values) => values.toSorted((x, y) => x - y)[values.length >> 1];

function msOf(text) {
  const started = performance.now();
  readFormulaText(text);
  return performance.now() - started;
}

const collected = ['chinese', 'international', 'mixed', 'people'].flatMap((name) =>
  texts(`${name}.json`).map(({ text }) => text),
);
const kinds = [
  ['real texts, one after the other', collected.join('\n')],
  ...texts('repeated-parts.json').map((part) => [
    JSON.stringify(part),
    part.repeat(20_000 / part.length + 1),
  ]),
].map(([title, text]) => ({
  title,
  half: text.slice(0, 10_000),
  whole: text.slice(0, 20_000),
  ms: [[], []],
}));

// The first round is for the compiler.
for (let run = 0; run <= RUNS; run++) {
  for (const { half, whole, ms } of kinds) {
    const taken = [msOf(half), msOf(whole)];
    if (run > 0) taken.forEach((time, at) => ms[at].push(time));
  }
}

const rows = kinds.map(({ title, ms: [half, whole] }) => ({
  title,
  half: median(half),
  whole: median(whole),
}));
rows.sort((x, y) => y.whole - x.whole);
const report = [
  `${circumstances()}. Milliseconds, medians of ${RUNS} runs; the slowest first. At most 300 entries of at most 400 lines are read.`,
  '',
  '| text | 10 000 characters | 20 000 characters |',
  '|---|---|---|',
  ...rows.map(
    ({ title, half, whole }) =>
      `| ${title.replaceAll('|', '\\|')} | ${half.toFixed(2)} | ${whole.toFixed(2)} |`,
  ),
].join('\n');
process.stdout.write(`${report}\n`);
if (process.argv.includes('--write'))
  writeSection('Extraction from text (`npm run bench:extraction`)', report);
