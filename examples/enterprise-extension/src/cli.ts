// #region cli
import { AppModule, explainStartError } from 'formula-development-service';
import { runCli } from 'formula-development-service/cli';
import { EXTENSIONS } from './app.module';
import { TeamCommandsModule } from './teams/team-commands.module';

runCli(AppModule.register({ extensions: [...EXTENSIONS, TeamCommandsModule] })).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(explainStartError(error));
    process.exitCode = 1;
  },
);
// #endregion
