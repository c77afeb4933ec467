import './v8-flags';
import { explainStartError } from './server/start-errors';
import { startService } from './start-service';

startService().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
