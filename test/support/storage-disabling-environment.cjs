// @ts-check
'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/** Storages that the test file has used. @type {Set<AsyncLocalStorage<unknown>>} */
const used = new Set();

const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (/** @type {[any, any]} */ ...args) {
  used.add(this);
  return run.apply(this, args);
};

/**
 * Jest's runner leaves a storage in use for each test file, and before Node 24 each of them makes every
 * promise of the process dearer: after some hundred files nothing else is done.
 */
class StorageDisablingEnvironment extends TestEnvironment {
  /** @override */
  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}

module.exports = StorageDisablingEnvironment;
