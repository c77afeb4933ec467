import { ConfigurationChanges } from '../../../platform/runtime-config/configuration-changes';
import { type AnswerCache } from './answer-cache';
import { CacheRelease } from './cache-release';

it('a changed configuration is announced when the cache is empty; not any more after the end', async () => {
  const changes = new ConfigurationChanges();
  let cleared = 0;
  const clear = async () => {
    await new Promise(setImmediate);
    cleared += 1;
  };
  const release = new CacheRelease(changes, { clear } as unknown as AnswerCache);
  release.onModuleInit();
  await changes.announce();
  expect(cleared).toBe(1);
  release.onModuleDestroy();
  await changes.announce();
  expect(cleared).toBe(1);
});
