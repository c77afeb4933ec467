import { CoreSchema1767225600000 } from './1767225600000-core-schema';
import { ColorSchema1767225700000 } from './1767225700000-color-schema';
import { RuntimeSettings1767229200000 } from './1767229200000-runtime-settings';
import { Ai1767232800000 } from './1767232800000-ai';
import { SearchKeys1767236400000 } from './1767236400000-search-keys';
import { ColorCells1767240000000 } from './1767240000000-color-cells';

/** In the order in which they run. */
export const coreMigrations = [
  CoreSchema1767225600000,
  ColorSchema1767225700000,
  RuntimeSettings1767229200000,
  Ai1767232800000,
  SearchKeys1767236400000,
  ColorCells1767240000000,
];
