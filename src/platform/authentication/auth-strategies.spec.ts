import { discovering } from '../../../test/support/discovery';
import { AUTH_STRATEGIES, AuthStrategies, TOKEN_STRATEGY } from './auth-strategies';

describe('AuthStrategies', () => {
  const strategies = (...lists: unknown[]) => {
    const placed = lists.map((instance) => ({ token: AUTH_STRATEGIES, instance }));
    const all = new AuthStrategies(discovering(...placed));
    all.onModuleInit();
    return all;
  };

  it('are our tokens alone without an extension', () => {
    expect(strategies().hasOthers).toBe(false);
    expect(strategies([TOKEN_STRATEGY]).hasOthers).toBe(false);
  });

  it('of several extensions are joined in their order, ours once', () => {
    const apiKey = { name: 'api-key', openApi: { type: 'apiKey', in: 'header', name: 'X-API-Key' } };
    const all = strategies([TOKEN_STRATEGY, apiKey], ['oidc', TOKEN_STRATEGY]);
    expect(all['names']).toEqual([TOKEN_STRATEGY, 'api-key', 'oidc']);
    expect(all.hasOthers).toBe(true);
    expect([...all.securitySchemes]).toEqual([['api-key', apiKey.openApi]]);
  });
});
