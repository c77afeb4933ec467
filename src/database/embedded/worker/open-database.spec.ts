import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** An archive that has what one of a database must have, and nothing else. */
async function template(): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: 'global', type: 'directory' });
  for (const name of ['PG_VERSION', 'global/pg_control', 'postgresql.conf']) archive.entry({ name }, name);
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** The module is no CommonJS: what opens the database is a process of its own. It gives what came of it. */
function opened(dataDir: string, templateFile: string, prepare: string): string {
  const program = `
    import fs from 'node:fs';
    import { openDatabase } from ${JSON.stringify(pathToFileURL(join(__dirname, 'open-database.mjs')).href)};
    ${prepare}
    const place = ${JSON.stringify({ dataDir, templateFile })};
    await openDatabase({ ...place, onProgress: () => {}, onStderr: () => false }).then(
      () => console.log('opened'),
      (error) => console.log(error.message),
    );
    process.exit();`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim();
}

describe('openDatabase', () => {
  let directory: string;
  let dataDir: string;
  let templateFile: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'open-'));
    dataDir = join(directory, 'data', 'pgdata');
    templateFile = join(directory, 'template.tar.gz');
    mkdirSync(join(directory, 'data'));
    writeFileSync(templateFile, await template());
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const rename = 'const { renameSync } = fs; fs.renameSync = (from, to) =>';
  it.each([
    ['cannot give it its name', `${rename} { throw new Error('no name'); };`, 'no name', []],
    [
      'finds the name taken by another',
      `${rename} { fs.mkdirSync(to + '/theirs', { recursive: true }); renameSync(from, to); };`,
      'ENOTEMPTY',
      ['pgdata'],
    ],
  ])('leaves nothing of a directory in the making when it %s', (_, prepare, reason, left) => {
    expect(opened(dataDir, templateFile, prepare)).toContain(reason);
    expect(readdirSync(join(directory, 'data'))).toEqual(left);
  });
});
