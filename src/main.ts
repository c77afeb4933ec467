import './node-version.cjs';
import './v8-flags';
import { readEnvironmentFile } from './platform/config/environment-file';
import { explainStartError } from './platform/server/start-errors';
import { startService } from './start-service';

async function start(): Promise<void> {
  readEnvironmentFile();
  await startService();
}

start().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
