import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CREATE_FUNCTIONS, DROP_FUNCTIONS } from './baseline/functions';
import { CREATE_RECORD_COUNTS, DROP_RECORD_COUNTS } from './baseline/record-counts';
import { insertReferenceColors } from './baseline/reference-colors';
import { CREATE_SEARCH_WORDS, DROP_SEARCH_WORDS } from './baseline/search-words';
import { TABLES } from './baseline/tables';

/** The first schema, with the library of named colours. After its release, only later migrations change it. */
export class Baseline1767225600002 implements MigrationInterface {
  name = 'Baseline1767225600002';

  async up(runner: QueryRunner): Promise<void> {
    // Indexes and triggers of the tables use the functions.
    await runner.query(CREATE_FUNCTIONS);
    for (const createTable of Object.values(TABLES)) await runner.query(createTable);
    await runner.query(CREATE_SEARCH_WORDS);
    await runner.query(CREATE_RECORD_COUNTS);
    await insertReferenceColors(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_RECORD_COUNTS);
    await runner.query(DROP_SEARCH_WORDS);
    for (const table of Object.keys(TABLES).toReversed()) await runner.query(`DROP TABLE ${table}`);
    await runner.query(DROP_FUNCTIONS);
  }
}
