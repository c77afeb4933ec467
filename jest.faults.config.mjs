import config, { FAULTS } from './jest.config.mjs';

/** The suites of `npm run test:faults`: torture, kills, damaged files, failover, PgBouncer, a cluster. */
export default { ...config, projects: [FAULTS] };
