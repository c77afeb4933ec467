import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jest from './jest.config.mjs';

/*
 * Plants faults in the pure logic and asks whether a unit test notices: `npm run test:mutation`, or for some
 * files `npm run test:mutation -- -m src/formulas/percentage-sum.ts`. What did not change since the last run
 * is not tried again.
 */
const unit = jest.projects.find(({ displayName }) => displayName === 'unit');

export default {
  testRunner: 'jest',
  jest: { config: { ...unit, testTimeout: jest.testTimeout }, enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  // By file name: where a module keeps its pure logic is its own business.
  mutate: [
    'src/color/difference/**/*.ts',
    'src/color/import/{color-import-plan,color-row}.ts',
    'src/formulas/{percentage-sum,search-words}.ts',
    'src/ingredients/import/{cosing-categories,ingredient-row,look-alikes}.ts',
    'src/common/import/{plan-import,read-fields}.ts',
    'src/cli/table/{cell-addresses,column-mapping,csv-table,formula-escape,open-table,table,xlsx-table}.ts',
    'src/ai/**/{amounts,close-name,complete-percentages,explore-rules,read-formula-text}.ts',
    'src/ai/**/{ai-failure,json-list-reader,lenient-json,retry-policy,strict-json-schema}.ts',
    'src/ai/**/{feature-hash,rank-candidates,search-terms}.ts',
    'src/**/{error-body,import-report,request-content,secret-box,validation-faults}.ts',
    '!src/**/*.spec.ts',
  ],
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: join(tmpdir(), 'formula-mutation-testing'),
  // The property tests of the colour difference alone take a minute.
  dryRunTimeoutMinutes: 20,
  incremental: true,
  incrementalFile: 'coverage/mutation.json',
  ignoreStatic: true,
};
