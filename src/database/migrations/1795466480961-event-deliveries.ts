import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events on their way to handlers of extensions (decision 24): without handlers there are no rows. */
export class EventDeliveries1795466480961 implements MigrationInterface {
  name = 'EventDeliveries1795466480961';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_deliveries (
        id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        handler text NOT NULL,
        record_id uuid NOT NULL,
        event jsonb NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        parked boolean NOT NULL DEFAULT false,
        CONSTRAINT pk_event_deliveries PRIMARY KEY (id)
      );
      CREATE INDEX ix_event_deliveries_handler ON event_deliveries (handler, id) WHERE NOT parked;
      CREATE INDEX ix_event_deliveries_record ON event_deliveries (record_id, handler, id) WHERE NOT parked;
      CREATE INDEX ix_event_deliveries_parked ON event_deliveries (handler) WHERE parked`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_deliveries');
  }
}
