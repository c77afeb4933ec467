import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first delivery of each record is found by going from record to record, however many each has. */
export class DeliveriesByRecord1795490705739 implements MigrationInterface {
  name = 'DeliveriesByRecord1795490705739';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ix_event_deliveries_first ON event_deliveries (handler, record_id, id) WHERE NOT parked;
      DROP INDEX ix_event_deliveries_handler;
      DROP INDEX ix_event_deliveries_record`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ix_event_deliveries_handler ON event_deliveries (handler, id) WHERE NOT parked;
      CREATE INDEX ix_event_deliveries_record ON event_deliveries (record_id, handler, id) WHERE NOT parked;
      DROP INDEX ix_event_deliveries_first`);
  }
}
