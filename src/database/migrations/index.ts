import type { MigrationInterface } from 'typeorm';
import { Baseline1795758000000 } from './1795758000000-baseline';

/** The service's migrations, in the order in which they run. Add a new one at the end. */
export const coreMigrations: (new () => MigrationInterface)[] = [Baseline1795758000000];
