import { firstValueFrom, of, throwError } from 'rxjs';
import type { AccessPolicy } from '../../../platform/access/access-policy';
import { ForbiddenError } from '../../../platform/common/errors/service-error';
import { render } from '../../../platform/texts/text';
import type {
  ProviderAccess,
  RuntimeConfiguration,
} from '../../../platform/runtime-config/runtime-configuration';
import type { AiService } from '../../pipeline/ai.service';
import { AiFailure, type FailureKind, InvalidAnswer } from '../../../platform/common/errors/ai-failure';
import type { AiStrategy } from '../../providers/ai-provider';
import { ConnectionTest } from './test-connection';

const USER = { id: 'u', username: 'lin', role: 'engineer' };

describe('ConnectionTest', () => {
  let allowed: boolean | Promise<boolean>;
  let configured: boolean;
  let asked: unknown[];
  let isKeyWithheld: true | undefined;

  beforeEach(() => {
    allowed = true;
    configured = true;
    asked = [];
    isKeyWithheld = undefined;
  });

  const test = (failure?: unknown) => {
    const access = { key: configured ? 'k' : undefined, isKeyWithheld };
    const provider = { isConfigured: ({ key }: ProviderAccess) => Promise.resolve(key !== undefined) };
    const call = (...args: unknown[]) => {
      asked.push(args[2]);
      return failure ? throwError(() => failure) : of({ answer: { ok: true }, source: 'x' });
    };
    return new ConnectionTest(
      {
        named: (name: string) => (name === 'known' ? { provider, model: 'm' } : undefined),
      } as unknown as AiStrategy,
      { call } as unknown as AiService,
      { canConfigure: () => allowed } as unknown as AccessPolicy,
      {
        current: () => Promise.resolve({ provider: (name: string) => (name === 'known' ? access : {}) }),
      } as unknown as RuntimeConfiguration,
    );
  };
  /** With what is wrong in the contract's words. */
  const outcome = async (failure?: unknown, name = 'known') => {
    const result = await firstValueFrom(await test(failure).run(name, USER));
    return result.ok ? result : { ...result, error: render(result.error) };
  };

  it.each([false, Promise.resolve(false)])(
    'asks nobody for one who may not configure: %p',
    async (decision) => {
      allowed = decision;
      await expect(test().run('known', USER)).rejects.toThrow(ForbiddenError);
      expect(asked).toEqual([]);
    },
  );

  it('asks once, with 15 seconds and without retries and cache', async () => {
    expect(await outcome()).toEqual({ ok: true, model: 'm' });
    expect(asked).toMatchObject([
      {
        target: { model: 'm', access: { key: 'k' } },
        policy: { deadlineMs: 15_000, attemptMs: 15_000, retries: 0, cache: false },
      },
    ]);
  });

  it('says why the key of the environment is not used', async () => {
    isKeyWithheld = true;
    expect(await outcome()).toEqual({
      ok: false,
      error: 'known 保存的地址不使用环境变量中的密钥,请同时保存密钥',
    });
    expect(asked).toEqual([]);
  });

  it('asks nobody where there is no key, or no such provider', async () => {
    expect(await outcome(undefined, 'other')).toEqual({ ok: false, error: 'other 未配置 API 密钥' });
    configured = false;
    expect(await outcome()).toEqual({ ok: false, error: 'known 未配置 API 密钥' });
    expect(asked).toEqual([]);
  });

  it('a model that refuses has been reached; one that answers something else cannot be used', async () => {
    const refused = new AiFailure('refused', 'known', { retryable: false });
    expect(await outcome(refused)).toEqual({ ok: true, model: 'm' });
    for (const answer of ['pong', '<html></html>', '']) {
      expect(await outcome(new InvalidAnswer('known', answer, 'x'))).toEqual({
        ok: false,
        error: 'known 返回的内容无法识别,请检查地址',
      });
    }
  });

  it.each<[FailureKind, string]>([
    ['connection', '无法连接,请检查地址与网络'],
    ['timeout', '15 秒内没有响应'],
    ['deadline', '15 秒内没有响应'],
    ['rate-limited', '请求过于频繁或额度已用完'],
    ['server', '服务端错误,请稍后重试'],
    ['key-refused', 'API 密钥无效或没有权限'],
    ['not-found', '地址或模型不存在'],
    ['request', '请求被拒绝,请检查地址与模型'],
    ['format', '请求被拒绝,请检查地址与模型'],
    ['invalid-answer', '返回的内容无法识别,请检查地址'],
    ['not-configured', '未配置 API 密钥'],
  ])('says of a failure what can be done: %s', async (kind, text) => {
    const failure = new AiFailure(kind, 'known', { retryable: true, status: 418 });
    expect(await outcome(failure)).toEqual({ ok: false, error: `known ${text}` });
  });

  it('an error that is no failure of the provider is not hidden in the result', async () => {
    await expect(outcome(new Error('database away'))).rejects.toThrow('database away');
  });
});
