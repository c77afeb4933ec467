/*
 * Prints how large `src` is without its specs, and fails above the numbers in CONTRIBUTING.md ("Size").
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './built.mjs';

const numbers = /at most ([\d,]+) lines in ([\d,]+) files, ([\d,]+) of them under 30 lines/.exec(
  readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'),
);
const [maxLines, maxFiles, maxSmall] = numbers.slice(1).map((number) => Number(number.replaceAll(',', '')));
const MAX_LINES_OF_FILE = 400;
const MAX_FILES_OF_FOLDER = 25;

const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.spec)\.(?:ts|mjs|cjs)$/.test(entry.name))
  .map((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name));
    return { path, folder: relative(root, entry.parentPath), lines: linesOf(path) };
  });

function linesOf(path) {
  return readFileSync(join(root, path), 'utf8').split('\n').length - 1;
}

const total = files.reduce((sum, { lines }) => sum + lines, 0);
const small = files.filter(({ lines }) => lines < 30).length;
const folders = new Map();
for (const { folder } of files) folders.set(folder, (folders.get(folder) ?? 0) + 1);

const faults = [
  ...(total > maxLines ? [`${total} lines are more than ${maxLines}`] : []),
  ...(files.length > maxFiles ? [`${files.length} files are more than ${maxFiles}`] : []),
  ...(small > maxSmall ? [`${small} files under 30 lines are more than ${maxSmall}`] : []),
  ...files
    .filter(({ lines }) => lines > MAX_LINES_OF_FILE)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${MAX_LINES_OF_FILE}`),
  ...[...folders]
    .filter(([, count]) => count > MAX_FILES_OF_FOLDER)
    .map(([folder, count]) => `${folder} has ${count} files, more than ${MAX_FILES_OF_FOLDER}`),
];
console.log(`src without specs: ${total} lines in ${files.length} files, ${small} of them under 30 lines`);
if (faults.length > 0) {
  console.log(faults.join('\n'));
  process.exitCode = 1;
}
