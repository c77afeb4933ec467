import { QueryIntegerField } from '../../platform/validation/query-fields';

/** The largest number that a version can have. */
export const MAX_VERSION_NUMBER = 2 ** 31 - 1;

/** The query of a route that works on one version of a formula. */
export class VersionQuery {
  @QueryIntegerField({
    min: 1,
    max: MAX_VERSION_NUMBER,
    description: 'Number of the version; default: the latest',
    example: 1,
  })
  version?: number;
}
