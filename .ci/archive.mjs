// The package's archive: the build with its sources in the maps, documents whose links lead to files of the
// archive, and nothing else.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

const ALLOWED =
  /^(dist[/](?!.*[.](spec|fake)[.])|docs[/]|examples[/]enterprise-extension[/](?!node_modules[/]|dist[/])|(package[.]json|LICENSE|README([.]zh-CN)?[.]md|CHANGELOG[.]md)$)/;

const directory = mkdtempSync(join(tmpdir(), 'archive-'));
const faults = [];
try {
  execFileSync('tar', ['-xzf', process.argv[2], '-C', directory]);
  const root = join(directory, 'package');
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  for (const file of files) {
    if (!ALLOWED.test(file)) faults.push(`${file} does not belong there`);
    if (file.endsWith('.js.map')) {
      const { sourcesContent = [] } = JSON.parse(readFileSync(join(root, file), 'utf8'));
      if (!sourcesContent[0]) faults.push(`${file} has no source`);
    }
    if (file.endsWith('.md')) {
      for (const [, link] of readFileSync(join(root, file), 'utf8').matchAll(
        /\]\((?!https?:|#|mailto:)([^)#\s]+)/g,
      )) {
        const target = normalize(join(dirname(file), link));
        const isThere = files.some(
          (other) => other === target || other.startsWith(`${target.replace(/[/]$/, '')}/`),
        );
        if (!isThere) faults.push(`${file} links to ${link}, which is not there`);
      }
    }
  }
  console.log(`${files.length} files`);
} finally {
  rmSync(directory, { recursive: true });
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
