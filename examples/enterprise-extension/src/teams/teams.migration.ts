import type { MigrationInterface, QueryRunner } from 'typeorm';

// #region migration
/** Begin the names of your tables with `ext_`, and refer to the service's tables by their primary keys. */
export class Teams1790000000000 implements MigrationInterface {
  name = 'Teams1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_teams (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        name text NOT NULL,
        CONSTRAINT pk_ext_teams PRIMARY KEY (id),
        CONSTRAINT uq_ext_teams_name UNIQUE (name)
      )`);
    await runner.query(`
      CREATE TABLE ext_team_members (
        user_id uuid NOT NULL,
        team_id uuid NOT NULL,
        CONSTRAINT pk_ext_team_members PRIMARY KEY (user_id),
        CONSTRAINT fk_ext_team_members_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT fk_ext_team_members_team FOREIGN KEY (team_id) REFERENCES ext_teams (id) ON DELETE CASCADE
      )`);
    // The access policy asks for a team's members in every list.
    await runner.query('CREATE INDEX idx_ext_team_members_team ON ext_team_members (team_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_team_members');
    await runner.query('DROP TABLE ext_teams');
  }
}
// #endregion
