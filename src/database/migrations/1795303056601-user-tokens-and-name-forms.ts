import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Most characters of a name's form: an index entry holds at most 2,704 bytes. */
const LONGEST_FORM = 200;

/**
 * Tokens that can be ended, accounts that can be disabled, and names that are unique in their NFKC form.
 * Of stored names with one form the first keeps it: a later one is more likely the imitation. The others have
 * none and stay reachable by their exact name.
 */
export class UserTokensAndNameForms1795303056601 implements MigrationInterface {
  name = 'UserTokensAndNameForms1795303056601';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN token_version integer NOT NULL DEFAULT 0,
        ADD COLUMN disabled_at timestamptz(3),
        ADD COLUMN username_form text;

      UPDATE users SET username_form = normalize(username, NFKC) WHERE id IN (
        SELECT DISTINCT ON (normalize(username, NFKC)) id FROM users
        WHERE length(normalize(username, NFKC)) <= ${LONGEST_FORM}
        ORDER BY normalize(username, NFKC), created_at, id);
      ALTER TABLE users ADD CONSTRAINT uq_users_username_form UNIQUE (username_form);

      CREATE FUNCTION users_username_form() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.username_form := normalize(NEW.username, NFKC);
        RETURN NEW;
      END $$;
      CREATE TRIGGER tr_users_username_form BEFORE INSERT ON users
        FOR EACH ROW EXECUTE FUNCTION users_username_form();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tr_users_username_form ON users;
      DROP FUNCTION users_username_form();
      ALTER TABLE users DROP COLUMN username_form, DROP COLUMN disabled_at, DROP COLUMN token_version;
    `);
  }
}
