import { Injectable } from '@nestjs/common';
import {
  AccountsService,
  DatabaseService,
  NotFoundError,
  ownText,
  type Statement,
} from 'formula-development-service';

export interface Team {
  id: string;
  name: string;
}

const TEAM_OF: Statement = {
  name: 'ext-teams.of', // unique: it is prepared under this name
  text: `SELECT t.id, t.name FROM ext_teams t JOIN ext_team_members m ON m.team_id = t.id WHERE m.user_id = $1`,
};

const JOIN: Statement = {
  name: 'ext-teams.join',
  text: `
    WITH team AS (
      INSERT INTO ext_teams (name) VALUES ($2) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id, name
    ), member AS (
      INSERT INTO ext_team_members (user_id, team_id) SELECT $1, id FROM team
      ON CONFLICT (user_id) DO UPDATE SET team_id = excluded.team_id
    )
    SELECT id, name FROM team`,
};

@Injectable()
export class TeamsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly accounts: AccountsService,
  ) {}

  async teamOf(userId: string): Promise<Team | undefined> {
    const [team] = await this.database.query<Team>(TEAM_OF, [userId]);
    return team;
  }

  /**
   * Makes somebody a member of a team, and of no other. A team that is not there is made.
   * @throws NotFoundError where nobody has this name
   */
  async join(username: string, teamName: string): Promise<Team> {
    const user = await this.accounts.findByName(username);
    if (!user) throw new NotFoundError(ownText('teams.no-such-user', 'Nobody has this username'));
    const [team] = await this.database.query<Team>(JOIN, [user.id, teamName]);
    return team!;
  }
}
