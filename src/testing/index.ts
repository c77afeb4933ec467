/* The public API for tests of an extension: the service with the extension, on a database in memory. */
export { createTestApp, type TestApp, type TestAppOptions } from './create-test-app';
export { ManualClock } from './manual-clock';
export type { TestAccount, TestAnswer, TestClient } from './test-client';
