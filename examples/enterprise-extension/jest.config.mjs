export default {
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  testTimeout: 120_000, // the first start makes a database: on a busy machine that takes its time
};
