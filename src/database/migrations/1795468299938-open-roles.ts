import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles are open text: which there are, the modules of an application say. */
export class OpenRoles1795468299938 implements MigrationInterface {
  name = 'OpenRoles1795468299938';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        DROP CONSTRAINT ck_users_role,
        ADD CONSTRAINT ck_users_role CHECK (role ~ '^[a-z0-9_-]{1,50}$');
    `);
  }

  /**
   * @throws where users have other roles: any that they got instead might be more than they had. Theirs are
   *   changed first (`users set-role`).
   */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$
      DECLARE others text := (SELECT string_agg(DISTINCT role, ', ') FROM users
                              WHERE role NOT IN ('engineer', 'admin'));
      BEGIN
        IF others IS NOT NULL THEN
          RAISE EXCEPTION 'There are users of other roles than engineer and admin: change theirs first (%)', others;
        END IF;
      END $$;

      ALTER TABLE users
        DROP CONSTRAINT ck_users_role,
        ADD CONSTRAINT ck_users_role CHECK (role IN ('engineer', 'admin'));
    `);
  }
}
