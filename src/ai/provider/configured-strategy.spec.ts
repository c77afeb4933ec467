import { type DiscoveryService } from '@nestjs/core';
import { type Environment } from '../../environment/environment';
import { type RuntimeConfiguration } from '../../runtime-config/runtime-configuration';
import { AI_PROVIDER, type AiProvider } from './ai-provider';
import { AlphaProvider } from '../providers/alpha/alpha.provider';
import { BetaProvider } from '../providers/beta/beta.provider';
import { MockProvider } from '../providers/mock/mock.provider';
import { ProviderRegistry } from './configured-strategy';

interface Situation {
  aiMock?: boolean;
  alphaKey?: string;
  betaKey?: string;
  model?: string;
  added?: Partial<AiProvider>;
}

async function chosen({ aiMock = false, alphaKey, betaKey, model, added }: Situation): Promise<string> {
  const settings = { aiMock, alpha: { key: alphaKey }, beta: { key: betaKey } };
  const configuration = { current: () => Promise.resolve(settings) } as RuntimeConfiguration;
  const wrappers = added ? [{ token: AI_PROVIDER, instance: added }] : [];
  const registry = new ProviderRegistry(
    { aiDefaultModel: model } as Environment,
    configuration,
    { getProviders: () => wrappers } as unknown as DiscoveryService,
    new AlphaProvider(configuration),
    new BetaProvider(configuration),
    new MockProvider(),
  );
  const { provider, model: asked } = await registry.choose();
  return `${provider.name} ${asked}`;
}

describe('ProviderRegistry', () => {
  it.each<[Situation, string]>([
    [{ aiMock: true, alphaKey: 'a', betaKey: 'b' }, 'mock mock'],
    [{}, 'mock mock'],
    [{ alphaKey: 'a', betaKey: 'b' }, 'beta claude-sonnet-5-5'],
    [{ alphaKey: 'a' }, 'alpha gpt-5.5'],
    [{ alphaKey: 'a', betaKey: 'b', model: 'gpt-x' }, 'alpha gpt-x'],
    [{ betaKey: 'b', model: 'gpt-x' }, 'beta claude-sonnet-5-5'],
    [{ alphaKey: 'a', betaKey: 'b', model: 'Claude-next' }, 'beta Claude-next'],
    [{ alphaKey: 'a', model: 'claude-next' }, 'alpha gpt-5.5'],
  ])('%j: %s', async (situation, expected) => expect(await chosen(situation)).toBe(expected));

  it('a provider from outside comes before ours for a model it serves', async () => {
    const added = {
      name: 'gamma',
      serves: (model: string) => model === 'g',
      isConfigured: () => Promise.resolve(true),
    };
    expect(await chosen({ alphaKey: 'a', model: 'g', added })).toBe('gamma g');
    expect(await chosen({ alphaKey: 'a', model: 'h', added })).toBe('alpha h');
  });
});
