import 'reflect-metadata';
import { DatabaseService } from '../../src/platform/database/database.service';
import { startService } from '../../src/start-service';

/**
 * The service, with a statement under way that does not end by itself. Run as
 * `node -r ../../scripts/typescript.cjs hanging-service.ts`; says so when it has been sent.
 */
async function main(): Promise<void> {
  const app = await startService();
  const endless = 'SELECT count(*) FROM generate_series(1, 1000000000000) AS n';
  void app
    .get(DatabaseService)
    .query({ text: endless })
    .catch(() => undefined);
  setTimeout(() => process.stdout.write('statement under way\n'), 500);
}

void main();
