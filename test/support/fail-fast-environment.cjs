// @ts-check
'use strict';

const StorageDisablingEnvironment = require('./storage-disabling-environment.cjs');

/** The planted fault that a test has noticed. @type {string | undefined} */
let noticed;

/** For mutation testing: when one test has noticed a planted fault, the others are skipped. */
class FailFastEnvironment extends StorageDisablingEnvironment {
  /** @param {{ name: string, test?: any }} event what jest-circus tells */
  handleTestEvent(event) {
    const fault = process.env.__STRYKER_ACTIVE_MUTANT__;
    if (fault === undefined) return;
    if (event.name === 'test_done' && event.test.errors.length > 0) noticed = fault;
    if (event.name === 'test_start' && noticed === fault) event.test.mode = 'skip';
  }
}

module.exports = FailFastEnvironment;
