import { Injectable } from '@nestjs/common';
import { AccessPolicy, type CurrentUser, type ReadableRecords } from 'formula-development-service';
import { TeamsService } from './teams.service';

const mayWrite = (user: CurrentUser) => user.role !== 'viewer';

// #region policy
/** A team sees and changes its own records, viewers only see them, and admins see everything. */
@Injectable()
export class TeamPolicy extends AccessPolicy {
  constructor(private readonly teams: TeamsService) {
    super();
  }

  override readable(): ReadableRecords {
    const madeInTeam = (row: string, [user, team]: readonly string[]) =>
      `(${row}.created_by = ${user} OR ${row}.created_by IN (
         SELECT m.user_id FROM ext_team_members m WHERE m.team_id = ${team}))`;
    return {
      types: ['uuid', 'uuid'],
      values: async (user) => {
        if (user.role === 'admin') return 'everything';
        return [user.id, (await this.teams.teamOf(user.id))?.id ?? null]; // `= null` is not true: no team's records
      },
      conditions: {
        formula: madeInTeam,
        project: madeInTeam,
        color: madeInTeam,
        'stability-test': (row, [, team]) => `${row}.team_id = ${team}`, // the kind that `stability/` names
      },
    };
  }

  // Called only for records that the user may read: those of the team.
  canChange = mayWrite;
  override canChangeIngredient = mayWrite; // ingredients belong to nobody
  override canCreate = mayWrite;
  override canUse = mayWrite; // the AI capabilities, and names of accounts
  canConfigure = (user: CurrentUser) => user.role === 'admin';
}
// #endregion
