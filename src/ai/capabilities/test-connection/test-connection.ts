import { Injectable } from '@nestjs/common';
import { catchError, defer, map, mergeMap, type Observable, of } from 'rxjs';
import { z } from 'zod';
import type { Capability } from '../../pipeline/capability';
import { AccessPolicy } from '../../../platform/access/access-policy';
import type { CurrentUser } from '../../../platform/common/current-user';
import { ForbiddenError } from '../../../platform/common/errors/service-error';
import type { Message } from '../../../platform/texts/define-texts';
import { text, type TextCode } from '../../../platform/texts/text';
import { RuntimeConfiguration } from '../../../platform/runtime-config/runtime-configuration';
import { AiService } from '../../pipeline/ai.service';
import { AiFailure, type FailureKind } from '../../../platform/common/errors/ai-failure';
import { AiStrategy, type AiTarget } from '../../providers/ai-provider';
import { isConfigured } from '../../providers/configured-strategy';

const schema = z.object({ ok: z.boolean() });

/** The cheapest request: tests whether a provider answers with the current key, address and model. */
export const testConnection: Capability<undefined, z.infer<typeof schema>> = {
  name: 'test-connection',
  schema,
  whenFailed: 'failure',
  maxTokens: 64,
  prompt: () => ({
    system: 'This is a connection test.',
    user: 'Answer with the JSON {"ok": true} and nothing else.',
  }),
  preset: () => ({ ok: true }),
};

/** Result of a connection test: the model, or a message about the failure. */
export type ConnectionTestResult = { ok: true; model: string } | { ok: false; error: Message };

const DEADLINE_SECONDS = 15;
const POLICY = {
  deadlineMs: DEADLINE_SECONDS * 1000,
  attemptMs: DEADLINE_SECONDS * 1000,
  retries: 0,
  cache: false,
} as const;

/** Part of the message about a failed call to a provider. */
const CODES = {
  connection: 'ai-test.connection',
  timeout: 'ai-test.timeout',
  deadline: 'ai-test.timeout',
  'rate-limited': 'ai-test.rate-limited',
  server: 'ai-test.server',
  'key-refused': 'ai-test.key-refused',
  'not-found': 'ai-test.not-found',
  request: 'ai-test.request',
  format: 'ai-test.request',
  refused: 'ai-test.refused',
  'invalid-answer': 'ai-test.invalid-answer',
  'not-configured': 'ai-test.not-configured',
} as const satisfies Record<FailureKind, TextCode>;

/** Sends one small request with a short deadline to a provider, even in mock mode. */
@Injectable()
export class ConnectionTest {
  constructor(
    private readonly strategy: AiStrategy,
    private readonly ai: AiService,
    private readonly policy: AccessPolicy,
    private readonly configuration: RuntimeConfiguration,
  ) {}

  /**
   * Failures of the provider are part of the result, as messages of the service.
   *
   * @throws ForbiddenError if this user may not configure the service
   */
  async run(name: string, user: CurrentUser): Promise<Observable<ConnectionTestResult>> {
    if (!(await this.policy.canConfigure(user))) throw new ForbiddenError();
    const access = (await this.configuration.current()).provider(name);
    if (access.isKeyWithheld) {
      return of({ ok: false, error: text('ai-test.key-withheld', { provider: name }) });
    }
    return defer(async () => {
      const target = this.strategy.named(name);
      if (!target || !(await isConfigured(target.provider, access))) {
        throw new AiFailure('not-configured', name, { retryable: false });
      }
      return { ...target, access };
    }).pipe(
      mergeMap((target) => this.ask(target)),
      catchError((error: unknown) => {
        if (!(error instanceof AiFailure)) throw error;
        return of<ConnectionTestResult>({
          ok: false,
          error: text(CODES[error.kind], { provider: name, seconds: DEADLINE_SECONDS }),
        });
      }),
    );
  }

  private ask(target: AiTarget): Observable<ConnectionTestResult> {
    const works: ConnectionTestResult = { ok: true, model: target.model };
    return this.ai.call(testConnection, undefined, { target, policy: POLICY }).pipe(
      map(() => works),
      catchError((error: unknown) => {
        // A model that refuses to answer, or whose answer was cut off, has been reached.
        if (error instanceof AiFailure && error.kind === 'refused') return of(works);
        throw error;
      }),
    );
  }
}
