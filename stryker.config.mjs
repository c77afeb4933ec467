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

// Each has a spec beside it.
const PURE_LOGIC = [
  'src/ai/capabilities/embed-texts/feature-hash.ts',
  'src/ai/capabilities/explore-formula/explore-rules.ts',
  'src/ai/capabilities/extract-formula/close-name.ts',
  'src/ai/capabilities/search-keywords/search-keywords.ts',
  'src/ai/pipeline/answer/answer.ts',
  'src/ai/pipeline/answer/json.ts',
  'src/ai/pipeline/capability.ts',
  'src/ai/pipeline/rate-limit.interceptor.ts',
  'src/ai/pipeline/retry.interceptor.ts',
  'src/cli/import/print-report.ts',
  'src/colors/difference/cie-lab-cells.ts',
  'src/colors/difference/ciede2000-bound.ts',
  'src/colors/difference/color-difference.ts',
  'src/colors/difference/least-ciede2000.ts',
  'src/colors/difference/nearest-search.ts',
  'src/colors/files/color-columns.ts',
  'src/colors/files/color-row.ts',
  'src/colors/files/colorant-list.ts',
  'src/colors/files/measured-alike.ts',
  'src/files/import-report.ts',
  'src/files/mapping/column-mapping.ts',
  'src/files/mapping/number-column.ts',
  'src/files/mapping/read-fields.ts',
  'src/files/mapping/table-parts.ts',
  'src/files/reading/open-table.ts',
  'src/files/reading/xlsx-table.ts',
  'src/formula-text/complete-percentages.ts',
  'src/formula-text/line-parser.ts',
  'src/formula-text/names.ts',
  'src/formula-text/read-formula-text.ts',
  'src/formula-text/table.ts',
  'src/formula-text/text-lines.ts',
  'src/formula-text/tokenizer.ts',
  'src/formulas/composition/expansion.ts',
  'src/formulas/costing/balance.ts',
  'src/formulas/costing/batch-sheet.ts',
  'src/formulas/costing/cost.ts',
  'src/formulas/costing/round-to-steps.ts',
  'src/formulas/files/grouped-formulas.ts',
  'src/formulas/files/sums.ts',
  'src/formulas/percentage-sum.ts',
  'src/formulas/versions/comparison/compare.ts',
  'src/formulas/versions/comparison/kept-in-order.ts',
  'src/formulas/versions/comparison/pair-lines.ts',
  'src/ingredients/cosing-categories.ts',
  'src/ingredients/names/macrogols.ts',
  'src/ingredients/names/other-names-rules.ts',
  'src/ingredients/names/resolution.ts',
  'src/ingredients/price-column.ts',
  'src/ingredients/raw-materials/registry-numbers.ts',
  'src/ingredients/raw-materials/substance-rules.ts',
  'src/labels/allergens.ts',
  'src/labels/label-entries.ts',
  'src/labels/natural-extracts.ts',
  'src/labels/printed-names.ts',
  'src/platform/access/access-policy.ts',
  'src/platform/common/errors/ai-failure.ts',
  'src/platform/common/formula-escape.ts',
  'src/platform/common/name-forms.ts',
  'src/platform/common/search-pattern.ts',
  'src/platform/common/spreadsheet-slips.ts',
  'src/platform/config/environment.ts',
  'src/platform/database/embedded/worker/session-queue.cjs',
  'src/platform/database/pg-errors.ts',
  'src/platform/http/client.ts',
  'src/platform/http/private-address.ts',
  'src/platform/http/request-content.ts',
  'src/platform/request-limits/fair-semaphore.ts',
  'src/platform/runtime-config/secret-box.ts',
  'src/platform/server/error-body.ts',
  'src/platform/server/start-errors.ts',
  'src/platform/validation/decimal.ts',
  'src/regulations/editions/product-scopes.ts',
  'src/regulations/editions/resolve-rows.ts',
  'src/users/failed-logins.ts',
].filter(inPart);
const specOf = (name) => name.replace(/\.\w+$/u, '.spec.ts');

const unit = jest.projects.find(({ displayName }) => displayName === 'unit');

// Inherited by the processes that run the tests.
process.env.TEST_SAMPLE_SHARE ??= '0.1';

export default {
  testRunner: 'jest',
  jest: {
    // Only the specs of this logic: whatever else imports it would be loaded for each fault, too.
    config: {
      ...unit,
      testMatch: PURE_LOGIC.map((name) => `<rootDir>/${specOf(name)}`),
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
  mutate: PURE_LOGIC,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: join(tmpdir(), 'formula-mutation-testing'),
  incremental: true,
  incrementalFile: `coverage/mutation${PART.replace(/[^a-z0-9]+/giu, '-')}.json`,
  ignoreStatic: true,
};
