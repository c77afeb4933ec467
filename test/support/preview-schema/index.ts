import type { DataSource } from 'typeorm';
import { runMigration } from '../migrations';
import { CoreSchema1767225600000 } from './1767225600000-core-schema';
import { ColorSchema1767225700000 } from './1767225700000-color-schema';
import { RuntimeSettings1767229200000 } from './1767229200000-runtime-settings';
import { Ai1767232800000 } from './1767232800000-ai';
import { SearchKeys1767236400000 } from './1767236400000-search-keys';
import { ColorCells1767240000000 } from './1767240000000-color-cells';

/** The migrations of the previews before the first release, in the order in which they ran. */
export const previewMigrations = [
  CoreSchema1767225600000,
  ColorSchema1767225700000,
  RuntimeSettings1767229200000,
  Ai1767232800000,
  SearchKeys1767236400000,
  ColorCells1767240000000,
];

/** Makes an empty database one of the last preview. */
export async function installPreview(dataSource: DataSource): Promise<void> {
  await dataSource.query('CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE EXTENSION IF NOT EXISTS cube');
  for (const migration of previewMigrations) await runMigration(dataSource, migration);
}
