import { Logger } from '@nestjs/common';
import type { Cache } from 'cache-manager';
import { z } from 'zod';
import { AnswerCache } from './cache.interceptor';
import type { SharedAnswers } from './shared-answers';
import { ConfigurationChanges } from '../../platform/runtime-config/runtime-configuration';

const ANY = z.unknown();

/** A store that can be made to wait and to fail. */
class Store {
  readonly kept = new Map<string, unknown>();
  broken = false;
  beforeSet: () => Promise<void> = () => Promise.resolve();

  get(key: string) {
    return this.broken ? Promise.reject(new Error('down')) : Promise.resolve(this.kept.get(key));
  }

  async set(key: string, value: unknown) {
    if (this.broken) throw new Error('down');
    await this.beforeSet();
    this.kept.set(key, value);
  }

  del(key: string) {
    this.kept.delete(key);
    return Promise.resolve();
  }

  clear() {
    this.kept.clear();
    return Promise.resolve();
  }
}

describe('AnswerCache', () => {
  let store: Store;
  let cache: AnswerCache;
  let changes: ConfigurationChanges;

  beforeEach(() => {
    store = new Store();
    changes = new ConfigurationChanges();
    cache = new AnswerCache(store as unknown as Cache, { isUsed: false } as SharedAnswers, changes);
  });
  afterEach(() => jest.restoreAllMocks());

  it('gives what was kept in its generation', async () => {
    await cache.keep('a', 1, cache.generation);
    expect(await cache.get('a', ANY)).toBe(1);
    expect(await cache.get('b', ANY)).toBeUndefined();
  });

  it('keeps nothing of an earlier generation, not even for a moment', async () => {
    const { generation } = cache;
    await cache.clear();
    expect(cache.generation).not.toBe(generation);
    const set = jest.spyOn(store, 'set');
    await cache.keep('a', 1, generation);
    expect(set).not.toHaveBeenCalled();
    expect(await cache.get('a', ANY)).toBeUndefined();
  });

  it('takes back an answer whose generation ended while it was written', async () => {
    let written = (): void => undefined;
    store.beforeSet = () => new Promise((resolve) => (written = resolve));
    const keeping = cache.keep('a', 1, cache.generation);
    await cache.clear();
    written();
    await keeping;
    expect(await cache.get('a', ANY)).toBeUndefined();
  });

  it('begins a new generation before it is emptied: what is written meanwhile is of the earlier one', async () => {
    const { generation } = cache;
    let emptied = (): void => undefined;
    jest.spyOn(store, 'clear').mockReturnValue(new Promise((resolve) => (emptied = resolve)));
    let isOver = false;
    const clearing = cache.clear().then(() => (isOver = true));
    await cache.keep('a', 1, generation);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    emptied();
    await clearing;
    expect(store.kept).toEqual(new Map());
  });

  it('is empty after clear', async () => {
    await cache.keep('a', 1, cache.generation);
    await cache.clear();
    expect(await cache.get('a', ANY)).toBeUndefined();
  });

  it('a store that does not work is a warning, not a failure', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    store.broken = true;
    await cache.keep('a', 1, cache.generation);
    expect(await cache.get('a', ANY)).toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('a changed configuration is announced when the cache is empty; not any more after the end', async () => {
    let cleared = 0;
    jest.spyOn(store, 'clear').mockImplementation(async () => {
      await new Promise(setImmediate);
      cleared += 1;
    });
    cache.onModuleInit();
    await changes.announce();
    expect(cleared).toBe(1);
    cache.onModuleDestroy();
    await changes.announce();
    expect(cleared).toBe(1);
  });
});
