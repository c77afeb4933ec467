import { searchText } from '../../platform/common/name-forms';

/** Returns a column's name without case, width, spaces, punctuation and invisible characters. */
export const plainName = (name: string): string =>
  searchText(name).replace(/[\s_\-./()[\]{}【】〔〕*:,'"]/g, '');
