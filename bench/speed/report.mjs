import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('../RESULTS.md', import.meta.url));
const number = (value, digits = 2) => value.toFixed(digits);
const times = (value, base) => `${number(value / base, 1)} times`;

/** Date, machine and commit of a measurement. */
export function circumstances() {
  const changed = execSync('git status --porcelain src bench ":!bench/RESULTS.md"').toString().trim()
    ? ' with changes'
    : '';
  const commit = `${execSync('git rev-parse --short HEAD').toString().trim()}${changed}`;
  return (
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ` +
    `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, commit ${commit}`
  );
}

/** The table of one comparison, in Markdown. */
export function comparisonReport({ rows, idle, loaded, start, embedded, connections, rounds, seconds }) {
  const database = ({ service, floor }) =>
    `${number(embedded ? service.worker : service.postgres, 3)} (${number(floor.postgres, 3)})`;
  const ratios = rows.map(({ ratio }) => Math.log(ratio));
  const mean = Math.exp(ratios.reduce((sum, log) => sum + log, 0) / ratios.length);
  return [
    `${circumstances()}; ${connections} connections, ${rounds} interleaved rounds of ${seconds} s, medians. CPU in ` +
      'milliseconds per request, the floor server’s in brackets.',
    '',
    '| endpoint | floor req/s | service req/s | ratio | p50 ms | p99 ratio | Node CPU | ' +
      `${embedded ? 'worker' : 'PostgreSQL'} CPU | longest block ms |`,
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) =>
      [
        '',
        `${row.title}${row.wrong ? ' (wrong answers!)' : ''}`,
        number(row.floor.perSecond, 0),
        number(row.service.perSecond, 0),
        `**${number(row.ratio)}**`,
        `${number(row.service.p50 / 1000, 1)} (${number(row.floor.p50 / 1000, 1)})`,
        number(row.p99Ratio),
        `${number(row.service.node, 3)} (${number(row.floor.node, 3)})`,
        database(row),
        number(row.longestBlock, 0),
        '',
      ]
        .join(' | ')
        .trim(),
    ),
    '',
    `Geometric mean of the ratios: ${number(mean)}. Start to first health: service ${number(start.service, 0)} ms, floor ` +
      `${number(start.floor, 0)} ms (${times(start.service, start.floor)}). Memory idle: service ` +
      `${number(idle.service, 0)} MB, floor ${number(idle.floor, 0)} MB (${times(idle.service, idle.floor)}); after the ` +
      `load: ${number(loaded.service, 0)} MB, floor ${number(loaded.floor, 0)} MB. Longest time the service's event loop ` +
      `was blocked: ${number(Math.max(...rows.map(({ longestBlock }) => longestBlock)), 0)} ms.`,
    '',
  ].join('\n');
}

/** Puts a section into RESULTS.md, in place of the one that had the title, else at the end. */
export function writeSection(title, text) {
  const before = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '# Results\n';
  const section = `## ${title}\n\n${text.trim()}\n`;
  const parts = before.split(/^(?=## )/m);
  const index = parts.findIndex((part) => part.startsWith(`## ${title}\n`));
  if (index < 0) parts.push(`\n${section}`);
  else parts[index] = index === parts.length - 1 ? section : `${section}\n`;
  writeFileSync(RESULTS, parts.join('').replace(/\n{3,}/g, '\n\n'));
}
