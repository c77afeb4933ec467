import { hash } from 'node:crypto';
import { StoreKeys } from './store-keys';

it('a key shows nothing of its text, and is the same for whoever has the secret and the purpose', () => {
  const key = new StoreKeys('secret', 'counts').of('address|10.0.0.1');
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(new StoreKeys('secret', 'counts').of('address|10.0.0.1')).toBe(key);
  const others = [
    new StoreKeys('other', 'counts').of('address|10.0.0.1'),
    new StoreKeys('secret', 'answers').of('address|10.0.0.1'),
    new StoreKeys('secret', 'counts').of('address|10.0.0.2'),
    hash('sha256', 'address|10.0.0.1'),
  ];
  expect(new Set([key, ...others]).size).toBe(5);
});
