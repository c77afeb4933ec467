import type { MigrationInterface } from 'typeorm';
import { Baseline1767225600002 } from './1767225600002-baseline';
import { SpellingKey1767225600003 } from './1767225600003-spelling-key';

/** The service's migrations, in the order in which they run. Add new ones at the end. */
export const coreMigrations: (new () => MigrationInterface)[] = [
  Baseline1767225600002,
  SpellingKey1767225600003,
];
