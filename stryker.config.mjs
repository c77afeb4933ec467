import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jest from './jest.config.mjs';

/*
 * Plants faults in the pure logic and asks whether a unit test notices: `npm run test:mutation`, or for some
 * files `npm run test:mutation -- -m src/formulas/percentage-sum.ts,src/formulas/search-words.ts`. What did
 * not change since the last run is not tried again.
 *
 * `MUTATION_PART=src/colors,src/users npm run test:mutation` tries a part, with its own specs only. That is
 * faster than all at once: a fault that never ends is given up after a time that grows with all the specs.
 */
const PART = process.env.MUTATION_PART ?? '';
const inPart = (name) => PART.split(',').some((folder) => name.startsWith(folder));

// By file name: where a module keeps its pure logic is its own business.
const PURE_LOGIC = [
  'src/colors/difference/*',
  'src/colors/**/{color-import-plan,color-row,ranked-rows}',
  'src/formulas/{percentage-sum,search-words}',
  'src/ingredients/**/{cosing-categories,ingredient-row,ingredient-rules,look-alikes}',
  'src/labels/**/{import-report,plan-import,read-fields}',
  'src/platform/**/{access-policy,client,decimal,fault-text,private-address,request-content}',
  'src/platform/**/validation-faults',
  'src/cli/**/{cell-addresses,column-mapping,csv-table,formula-escape,open-table,table,xlsx-table}',
  'src/cli/**/print-report',
  'src/ai/**/{close-name,explore-rules}',
  'src/formula-text/*',
  'src/ai/**/{ai-failure,capability,feature-hash,json,rate-limit.interceptor,retry.interceptor,search-keywords}',
  'src/ai/pipeline/answer/answer',
  'src/platform/authentication/{bearer-token,failed-logins,token-claims}',
  'src/platform/database/{connection-shares,keyed-reads,outage-log,pg-errors,stuck-work}',
  'src/platform/database/embedded/**/session-queue',
  'src/platform/config/{environment,setting-types,settings}',
  'src/platform/runtime-config/{configuration-changes,secret-box}',
  'src/platform/server/{error-body,start-errors}',
  'src/platform/request-limits/{fair-semaphore,lanes}',
  'src/users/username',
].filter(inPart);

const unit = jest.projects.find(({ displayName }) => displayName === 'unit');

// Inherited by the processes that run the tests.
process.env.TEST_SAMPLE_SHARE ??= '0.1';

export default {
  testRunner: 'jest',
  jest: {
    // Only the specs of this logic: whatever else imports it would be loaded for each fault, too.
    config: {
      ...unit,
      testMatch: PURE_LOGIC.map((name) => `<rootDir>/${name}.spec.ts`),
      testEnvironment: './test/support/fail-fast-environment.cjs',
      testSequencer: './test/support/smallest-first.cjs',
      // A fault that lets a test wait for ever is noticed as well.
      testTimeout: 10_000,
    },
    enableFindRelatedTests: true,
  },
  coverageAnalysis: 'perTest',
  // Node keeps what each run has compiled: after a thousand runs a process does nothing else.
  maxTestRunnerReuse: 100,
  mutate: [...PURE_LOGIC.map((name) => `${name}.{ts,cjs}`), '!src/**/*.spec.ts'],
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: join(tmpdir(), 'formula-mutation-testing'),
  incremental: true,
  incrementalFile: `coverage/mutation${PART.replace(/[^a-z0-9]+/giu, '-')}.json`,
  ignoreStatic: true,
};
