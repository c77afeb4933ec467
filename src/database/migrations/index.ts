import { CoreSchema1767225600000 } from './1767225600000-core-schema';

/** In the order in which they run. */
export const coreMigrations = [CoreSchema1767225600000];
