/**
 * One runner, three tiers: pure and contract tests beside the code, e2e on the whole application,
 * architecture checks. `jest.faults.config.mjs` has the suites that kill processes and damage files.
 */
const tier = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  testEnvironment: '<rootDir>/test/support/storage-disabling-environment.cjs',
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/examples/'],
  ...more,
});

/** It loads `http` by import(), which Jest refuses in CommonJS unless it is transformed. */
const OTLP_EXPORTER = '@opentelemetry/otlp-exporter-base/.+[.]js$';

const quickWebAssembly = { setupFiles: ['<rootDir>/test/support/webassembly.cjs'] };

const WHOLE_APPLICATION = {
  ...quickWebAssembly,
  transform: { '^.+[.]ts$': ['@swc/jest'], [OTLP_EXPORTER]: ['@swc/jest'] },
  transformIgnorePatterns: [`/node_modules/(?!${OTLP_EXPORTER})`],
};

export const FAULTS = tier('faults', ['<rootDir>/test/faults/suites/*.e2e-spec.ts'], WHOLE_APPLICATION);

export default {
  // Jest's own process only waits while the workers work.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // What a file leaves behind is not all given back: after two hundred files a worker would be out of memory.
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 30_000,
  projects: [
    tier('unit', ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/faults/*.spec.ts']),
    tier('e2e', ['<rootDir>/test/e2e/**/*.e2e-spec.ts'], WHOLE_APPLICATION),
    tier('architecture', ['<rootDir>/test/architecture/**/*.spec.ts'], quickWebAssembly),
  ],
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.spec.ts', '!src/main.ts'],
};
