/*
 * Writes docs/public-surface/*.api.md, what extensions may import with its types, from the built
 * declarations; or with --check says whether they still are what the code gives.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { ensureBuilt, root } from './built.mjs';

const REPORTS = join(root, 'docs', 'public-surface');

/** The entries of the package, and what their reports are called. */
const ENTRIES = { index: 'dist/index.d.ts', cli: 'dist/cli/index.d.ts', testing: 'dist/testing/index.d.ts' };

/** @returns whether the report is what was there */
function report(name, entry, temporary) {
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, entry),
      compiler: { tsconfigFilePath: join(root, 'tsconfig.json') },
      newlineKind: 'lf',
      apiReport: { enabled: true, reportFolder: REPORTS, reportTempFolder: temporary, reportFileName: name },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        // Comments are for readers of the code, not TSDoc; constructors take what is not for extensions.
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
        compilerMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !process.argv.includes('--check'),
    showVerboseMessages: false,
    messageCallback: (message) => (message.handled = true),
  });
  return !apiReportChanged;
}

ensureBuilt();
mkdirSync(REPORTS, { recursive: true });
const temporary = mkdtempSync(join(tmpdir(), 'public-surface-'));
try {
  const same = Object.entries(ENTRIES).map(([name, entry]) => report(name, entry, temporary));
  if (process.argv.includes('--check') && same.includes(false)) {
    console.error('docs/public-surface is not what the code gives: run `npm run surface` and commit it.');
    process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true });
}
