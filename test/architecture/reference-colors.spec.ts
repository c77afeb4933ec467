import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

it('the named colours in the migration are what their packages give', () => {
  const script = join(__dirname, '../../scripts/reference-colors.mjs');
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
