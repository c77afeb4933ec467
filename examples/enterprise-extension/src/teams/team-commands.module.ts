import { Module } from '@nestjs/common';
import { EXTRA_COMMANDS } from 'formula-development-service/cli';
import { JoinTeamCommand } from './join-team.command';

// #region commands-module
/** A module of its own, which only `cli.ts` names: what serves requests loads no commands. */
@Module({ providers: [{ provide: EXTRA_COMMANDS, useValue: [JoinTeamCommand] }] })
export class TeamCommandsModule {}
// #endregion
