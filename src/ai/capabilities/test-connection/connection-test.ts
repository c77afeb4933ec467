import { Injectable } from '@nestjs/common';
import { catchError, defer, map, mergeMap, type Observable, of } from 'rxjs';
import { AccessPolicy } from '../../../common/access/access-policy';
import { type CurrentUser } from '../../../common/access/current-user';
import { ForbiddenError } from '../../../common/errors/service-error';
import { RuntimeConfiguration } from '../../../runtime-config/runtime-configuration';
import { AiService } from '../../call/ai.service';
import { AiFailure, type FailureKind, InvalidAnswer } from '../../provider/ai-failure';
import { AiStrategy, type AiTarget } from '../../provider/ai-strategy';
import { testConnection } from './test-connection';

export type ConnectionTestResult = { ok: true; model: string } | { ok: false; error: string };

const DEADLINE_SECONDS = 15;
const POLICY = {
  deadlineMs: DEADLINE_SECONDS * 1000,
  attemptMs: DEADLINE_SECONDS * 1000,
  retries: 0,
  cache: false,
} as const;

const TEXTS: Record<FailureKind, string> = {
  connection: '无法连接,请检查地址与网络',
  timeout: `${DEADLINE_SECONDS} 秒内没有响应`,
  deadline: `${DEADLINE_SECONDS} 秒内没有响应`,
  'rate-limited': '请求过于频繁或额度已用完',
  server: '服务端错误,请稍后重试',
  'key-refused': 'API 密钥无效或没有权限',
  'not-found': '地址或模型不存在',
  request: '请求被拒绝,请检查地址与模型',
  format: '请求被拒绝,请检查地址与模型',
  refused: '没有给出可用的回答',
  'invalid-answer': '返回的内容无法识别,请检查地址',
  'not-configured': '未配置 API 密钥',
};

const KEY_WITHHELD = '保存的地址不使用环境变量中的密钥,请同时保存密钥';

/** Asks one provider one small question, with a short deadline, whatever mode the service is in. */
@Injectable()
export class ConnectionTest {
  constructor(
    private readonly strategy: AiStrategy,
    private readonly ai: AiService,
    private readonly policy: AccessPolicy,
    private readonly configuration: RuntimeConfiguration,
  ) {}

  /**
   * What went wrong at the provider is in the result, in a text of ours.
   *
   * @throws ForbiddenError when this user may not configure the service
   */
  async run(name: string, user: CurrentUser): Promise<Observable<ConnectionTestResult>> {
    if (!(await this.policy.canConfigure(user))) throw new ForbiddenError();
    const access = (await this.configuration.current()).provider(name);
    if (access.isKeyWithheld) return of({ ok: false, error: `${name} ${KEY_WITHHELD}` });
    return defer(async () => {
      const target = this.strategy.named(name);
      if (!target || !(await target.provider.isConfigured(access))) {
        throw new AiFailure('not-configured', name, { retryable: false });
      }
      return { ...target, access };
    }).pipe(
      mergeMap((target) => this.ask(target)),
      catchError((error: unknown) => {
        if (!(error instanceof AiFailure)) throw error;
        return of<ConnectionTestResult>({ ok: false, error: `${name} ${TEXTS[error.kind]}` });
      }),
    );
  }

  private ask(target: AiTarget): Observable<ConnectionTestResult> {
    const works: ConnectionTestResult = { ok: true, model: target.model };
    return this.ai.call(testConnection, undefined, { target, policy: POLICY }).pipe(
      map(() => works),
      catchError((error: unknown) => {
        if (isAnswer(error)) return of(works);
        throw error;
      }),
    );
  }
}

/** A model that answers something else than it was asked, or is cut short, has been reached all the same. */
function isAnswer(error: unknown): boolean {
  if (error instanceof InvalidAnswer) return error.answer !== '';
  return error instanceof AiFailure && error.kind === 'refused';
}
