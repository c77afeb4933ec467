import type { MigrationInterface } from 'typeorm';
import { Baseline1767225600001 } from './1767225600001-baseline';

/** The service's migrations, in the order in which they run. Add a new one at the end. */
export const coreMigrations: (new () => MigrationInterface)[] = [Baseline1767225600001];
