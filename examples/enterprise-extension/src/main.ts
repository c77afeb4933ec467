// #region main
import { explainStartError, startService } from 'formula-development-service';
import { application } from './app.module';
import { startOptions } from './start-options';

startService(application, startOptions).catch((error: unknown) => {
  console.error(explainStartError(error));
  process.exit(1);
});
// #endregion
