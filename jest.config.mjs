/** One runner, three tiers: pure and contract tests beside the code, e2e on the whole application, architecture checks. */
const tier = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  ...more,
});

export default {
  testTimeout: 30_000,
  projects: [
    tier('unit', ['<rootDir>/src/**/*.spec.ts']),
    tier('e2e', ['<rootDir>/test/e2e/**/*.e2e-spec.ts']),
    tier('architecture', ['<rootDir>/test/architecture/**/*.spec.ts']),
  ],
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.spec.ts', '!src/main.ts'],
};
