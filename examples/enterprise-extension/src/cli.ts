// #region cli
import { AppModule } from 'formula-development-service';
import { runCli } from 'formula-development-service/cli';
import { EXTENSIONS } from './app.module';
import { TeamCommandsModule } from './teams/team-commands.module';

void runCli(AppModule.register({ extensions: [...EXTENSIONS, TeamCommandsModule] })).then((code) => {
  process.exitCode = code;
});
// #endregion
