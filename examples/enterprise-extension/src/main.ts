// #region main
import { explainStartError, startService } from 'formula-development-service';
import { application } from './app.module';

startService(application).catch((error: unknown) => {
  console.error(explainStartError(error));
  process.exit(1);
});
// #endregion
