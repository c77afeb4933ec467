import { CoreSchema1767225600000 } from './1767225600000-core-schema';
import { ColorSchema1767225700000 } from './1767225700000-color-schema';

/** In the order in which they run. */
export const coreMigrations = [CoreSchema1767225600000, ColorSchema1767225700000];
