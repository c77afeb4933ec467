import { Logger } from '@nestjs/common';
import { discovering } from '../../../test/support/discovery';
import { type Environment } from '../../platform/config/environment';
import {
  type ProviderAccess,
  type RuntimeConfiguration,
} from '../../platform/runtime-config/runtime-configuration';
import { AI_PROVIDER, type AiProvider } from './ai-provider';
import { CONFIGURED_PATIENCE_MS, ConfiguredStrategy } from './configured-strategy';

interface Situation {
  aiMock?: boolean;
  /** Names of those that have a key. */
  keys?: string[];
  model?: string;
  added?: Partial<AiProvider>[];
  without?: Partial<AiProvider>;
}

const CLAUDE: Partial<AiProvider> = {
  name: 'beta',
  role: 'default',
  defaultModel: 'claude-own',
  serves: (model) => /^claude/i.test(model),
};
const ANY: Partial<AiProvider> = {
  name: 'alpha',
  role: 'any-model',
  defaultModel: 'gpt-own',
  serves: () => true,
  embed: () => Promise.resolve({ vectors: [] }),
};
const PRESETS: Partial<AiProvider> = {
  name: 'mock',
  role: 'presets',
  defaultModel: 'mock',
  serves: () => false,
};

function strategyOf({
  aiMock = false,
  keys = [],
  model,
  added = [],
  without,
}: Situation): ConfiguredStrategy {
  const there = [PRESETS, ANY, CLAUDE].filter((provider) => provider !== without);
  const all = there.map((provider) => ({
    ...provider,
    isConfigured: ({ key }: ProviderAccess) => Promise.resolve(key !== undefined),
  }));
  const access = (name: string) => (keys.includes(name) ? { key: `${name}-key` } : {});
  const wrappers = [...all, ...added].map((instance) => ({ token: AI_PROVIDER, instance }));
  return new ConfiguredStrategy(
    { aiDefaultModel: model } as Environment,
    { current: () => Promise.resolve({ aiMock, provider: access }) } as unknown as RuntimeConfiguration,
    discovering({ token: 'another', instance: {} }, ...wrappers),
  );
}

async function chosen(situation: Situation): Promise<string> {
  const { provider, model } = await strategyOf(situation).current();
  return `${provider.name} ${model}`;
}

const gamma = (more: Partial<AiProvider> = {}): Partial<AiProvider> => ({
  name: 'gamma',
  defaultModel: 'gamma-own',
  serves: (model) => model === 'g',
  isConfigured: () => Promise.resolve(true),
  ...more,
});

describe('ConfiguredStrategy', () => {
  const both = ['alpha', 'beta'];

  it.each<[Situation, string]>([
    [{ aiMock: true, keys: both }, 'mock mock'],
    [{}, 'mock mock'],
    [{ keys: both }, 'beta claude-own'],
    [{ keys: ['alpha'] }, 'alpha gpt-own'],
    [{ keys: both, model: 'gpt-x' }, 'alpha gpt-x'],
    [{ keys: ['beta'], model: 'gpt-x' }, 'beta claude-own'],
    [{ keys: both, model: 'Claude-next' }, 'beta Claude-next'],
    [{ keys: ['alpha'], model: 'claude-next' }, 'alpha gpt-own'],
  ])('%j: %s', async (situation, expected) => expect(await chosen(situation)).toBe(expected));

  it('a provider with models of its own comes before one that serves any', async () => {
    expect(await chosen({ keys: ['alpha'], model: 'g', added: [gamma()] })).toBe('gamma g');
    expect(await chosen({ keys: ['alpha'], model: 'h', added: [gamma()] })).toBe('alpha h');
  });

  it('a provider that takes over models comes before the one that has them by default', async () => {
    const proxy = gamma({ serves: (model) => model.startsWith('claude') });
    expect(await chosen({ keys: both, model: 'claude-x', added: [proxy] })).toBe('gamma claude-x');
    expect(await chosen({ keys: both, added: [gamma()] })).toBe('beta claude-own');
  });

  it('says so where nobody has presets', async () => {
    for (const aiMock of [true, false]) {
      await expect(chosen({ aiMock, without: PRESETS })).rejects.toThrow(
        'No AI provider with the role "presets"',
      );
    }
    expect(await chosen({ keys: both, without: PRESETS })).toBe('beta claude-own');
    expect(await chosen({ keys: both, without: CLAUDE })).toBe('alpha gpt-own');
  });

  it('passes over one that fails to say whether it is configured, or does not say it in time', async () => {
    jest.useFakeTimers();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    try {
      const broken = [
        () => Promise.reject(new TypeError('secret')),
        () => {
          throw new TypeError('secret');
        },
        () => new Promise<boolean>(() => undefined),
      ];
      for (const isConfigured of broken) {
        const answer = chosen({ keys: ['alpha'], model: 'g', added: [gamma({ isConfigured })] });
        await jest.advanceTimersByTimeAsync(CONFIGURED_PATIENCE_MS);
        expect(await answer).toBe('alpha gpt-own');
      }
      expect(logged.mock.calls.map(String)).toEqual([
        'The AI provider "gamma" does not say whether it is configured (TypeError)',
        'The AI provider "gamma" does not say whether it is configured (TypeError)',
        'The AI provider "gamma" does not say whether it is configured (Silence)',
      ]);
    } finally {
      logged.mockRestore();
      jest.useRealTimers();
    }
  });

  it('asks the configuration for each call', async () => {
    const situation: Situation = { keys: [], model: 'gpt-x' };
    const strategy = strategyOf(situation);
    expect((await strategy.current()).provider.name).toBe('mock');
    situation.keys?.push('alpha');
    expect((await strategy.current()).provider.name).toBe('alpha');
  });

  it('says with which key and address the provider it chose is asked; presets need none', async () => {
    const accessOf = async (situation: Situation) => (await strategyOf(situation).current()).access;
    expect(await accessOf({ keys: both })).toEqual({ key: 'beta-key' });
    expect(await accessOf({ keys: ['alpha'] })).toEqual({ key: 'alpha-key' });
    expect(await accessOf({})).toEqual({});
    expect((await strategyOf({ keys: both }).embedding('e'))?.access).toEqual({ key: 'alpha-key' });
  });

  it('says which model a provider of a name would be asked for, whether or not it has a key', () => {
    const named = (name: string, situation: Situation = {}) => strategyOf(situation).named(name)?.model;
    expect(named('beta')).toBe('claude-own');
    expect(named('alpha')).toBe('gpt-own');
    expect(named('alpha', { model: 'gpt-x' })).toBe('gpt-x');
    expect(named('beta', { model: 'gpt-x' })).toBe('claude-own');
    expect(named('gamma')).toBeUndefined();
    expect(named('mock')).toBeUndefined();
  });

  it('embeddings are made by a provider that can, has a key and serves the model; never in mock mode', async () => {
    const maker = async (situation: Situation) => (await strategyOf(situation).embedding('e'))?.provider.name;
    expect(await maker({ keys: both })).toBe('alpha');
    expect(await maker({ keys: ['beta'] })).toBeUndefined();
    const embed = () => Promise.resolve({ vectors: [] });
    expect(await maker({ keys: both, added: [gamma({ serves: () => false, embed })] })).toBe('alpha');
    const cannot = gamma({ serves: () => true });
    expect(await maker({ keys: both, added: [cannot] })).toBe('alpha');
    expect(await maker({ keys: both, aiMock: true })).toBeUndefined();
    const added = [
      gamma({ serves: (model) => model === 'e', embed: () => Promise.resolve({ vectors: [] }) }),
    ];
    expect(await maker({ keys: both, added })).toBe('gamma');
  });
});
