import { Injectable, Module } from '@nestjs/common';
import { AI_PROVIDER, AnthropicProvider, AppModule, OpenAiProvider } from '../../src/index';
import { type Account, bootApp, type TestApp } from '../support/app';
import { answers, FakeProvider } from '../support/fake-providers';

// #region deepseek
@Injectable()
class DeepSeekProvider extends OpenAiProvider {
  readonly name = 'deepseek';
  readonly defaultModel = 'deepseek-chat';
  protected readonly defaultAddress = 'https://api.deepseek.com/v1';

  serves(model: string): boolean {
    return model.startsWith('deepseek-');
  }
}

@Module({ providers: [{ provide: AI_PROVIDER, useClass: DeepSeekProvider }] })
export class DeepSeekModule {}
// #endregion

@Injectable()
class GatewayProvider extends AnthropicProvider {
  readonly name = 'gateway';
  readonly defaultModel = 'gateway-1';
  readonly defaultAddress = gateway.baseUrl;

  serves(model: string): boolean {
    return model.startsWith('gateway-');
  }
}

@Module({ providers: [{ provide: AI_PROVIDER, useClass: GatewayProvider }] })
class GatewayModule {}

let gateway: FakeProvider;

describe('A second provider of a known protocol', () => {
  let server: FakeProvider;
  let app: TestApp;
  let user: Account;

  beforeAll(async () => {
    server = await FakeProvider.start('alpha');
    gateway = await FakeProvider.start('beta');
    app = await bootApp({
      module: { imports: [AppModule.register({ extensions: [DeepSeekModule, GatewayModule] })] },
      settings: { AI_MOCK: 'false', AI_DEFAULT_MODEL: 'deepseek-reasoner', GATEWAY_API_KEY: 'k-gateway' },
    });
    user = await app.register();
    await user.put('/api/config', { deepseekKey: 'k-deepseek', deepseekBaseUrl: server.baseUrl }).expect(200);
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([server.stop(), gateway.stop()]);
  });
  beforeEach(() => {
    server.reset(answers({ keywords: ['cream'] }));
    gateway.reset(answers({ ok: true }));
  });

  it('is asked for its models, with its own key and at its own address', async () => {
    const { headers } = await user.get('/api/ai/search').query({ q: 'a cream' }).expect(200);
    expect(headers['x-ai-source']).toBe('deepseek');
    const [received] = server.received;
    expect(received?.asked.model).toBe('deepseek-reasoner');
    expect(received?.headers.authorization).toBe('Bearer k-deepseek');
  });

  it('is asked at its default address if no other is configured', async () => {
    const { body } = await user.post('/api/config/test', { provider: 'gateway' });
    expect(body).toEqual({ ok: true, model: 'gateway-1' });
    expect(gateway.received[0]?.headers.authorization).toBe('Bearer k-gateway');
    const { body: providers } = await user.get('/api/ext/ai/providers').expect(200);
    expect(providers.data).toEqual([
      {
        name: 'deepseek',
        defaultModel: 'deepseek-chat',
        hasKey: true,
        baseUrl: new URL(server.baseUrl).origin,
      },
      { name: 'gateway', defaultModel: 'gateway-1', hasKey: true, baseUrl: null },
    ]);
  });
});
