import './node-version.cjs';
import './v8-flags';
import { readEnvironmentFile } from './config/environment-file';
import { explainStartError } from './http/start-errors';
import { startService } from './start-service';

async function start(): Promise<void> {
  readEnvironmentFile();
  await startService();
}

start().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
