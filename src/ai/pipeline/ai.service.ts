import { Injectable } from '@nestjs/common';
import { defer, filter, map, mergeMap, type Observable } from 'rxjs';
import { AccessPolicy, requireAllowed } from '../../platform/access/access-policy';
import type { CurrentUser } from '../../platform/common/current-user';
import { currentUser } from '../../platform/common/request-context';
import { RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { AiStrategy, type AiTarget } from '../providers/ai-provider';
import { AiCall, type AiEvent, type AiSource, type CallPolicy } from './ai-call';
import { AiPipeline } from './ai-pipeline';
import { type Capability } from './capability';

export interface AiResult<Answer> {
  readonly answer: Answer;
  readonly source: AiSource;
}

export interface AiPart<Part> {
  readonly part: Part;
  readonly source: AiSource;
}

/** Another provider than the strategy's, other limits than the default, or another user than the request's. */
export interface CallOptions {
  readonly target?: AiTarget;
  readonly policy?: Partial<CallPolicy>;
  /** The user for whom a job makes the call, if it does not come from a request. */
  readonly user?: CurrentUser;
  /** The access policy has already allowed the call (`AiService.allowed`). */
  readonly isAllowed?: true;
}

/** Limits of a call that names no others. */
const LIMITS = { deadlineMs: 60_000, attemptMs: 30_000, retries: 3 };

/**
 * Calls AI capabilities. Every call goes through the same pipeline. Subscribing starts a call, unsubscribing
 * aborts it.
 */
@Injectable()
export class AiService {
  constructor(
    private readonly strategy: AiStrategy,
    private readonly configuration: RuntimeConfiguration,
    private readonly pipeline: AiPipeline,
    private readonly policy: AccessPolicy,
  ) {}

  /**
   * Checks the access policy before a stream begins, while an HTTP error can still be sent.
   * @returns the options to make the call with
   * @throws ForbiddenError when the user may not use the capability
   */
  async allowed({ name }: { readonly name: string }, user: CurrentUser): Promise<CallOptions> {
    await requireAllowed(this.policy.canUse(user, name));
    return { user, isAllowed: true };
  }

  /**
   * Emits the complete answer. Fails with a `ForbiddenError` if the user may not use the capability, and
   * with an `AiFailure` if no provider gave a usable answer and the capability has no preset for that.
   */
  call<Input, Answer, Part>(
    capability: Capability<Input, Answer, Part>,
    input: Input,
    options: CallOptions = {},
  ): Observable<AiResult<Answer>> {
    return this.events(capability, input, options).pipe(
      filter((event) => event.kind === 'answer'),
      map(({ answer, source }) => ({ answer: answer as Answer, source })),
    );
  }

  /** Emits the parts of the answer of a capability that has parts, each as soon as it is complete. */
  parts<Input, Answer, Part>(
    capability: Capability<Input, Answer, Part>,
    input: Input,
    options: CallOptions = {},
  ): Observable<AiPart<Part>> {
    return this.events(capability, input, options).pipe(
      filter((event) => event.kind === 'part'),
      map(({ part, source }) => ({ part: part as Part, source })),
    );
  }

  private events<Input, Answer, Part>(
    capability: Capability<Input, Answer, Part>,
    input: Input,
    { target, policy, user = currentUser(), isAllowed }: CallOptions,
  ): Observable<AiEvent> {
    return defer(async () => {
      // Embeddings are not checked: computing the vector of a phrase is part of a search, which has been allowed.
      if (user && !isAllowed && !capability.embedding) await this.allowed(capability, user);
      const { provider, model, access } = target ?? (await this.strategy.current());
      const configured = access ?? (await this.configuration.current()).provider(provider.name);
      // The pipeline does not know the types of the capability; this method restores them.
      const untyped = capability as Capability<unknown, unknown>;
      const usual = { ...LIMITS, cache: true, whenFailed: capability.whenFailed };
      return new AiCall(untyped, input, provider, model, configured, { ...usual, ...policy }, user);
    }).pipe(mergeMap((call) => this.pipeline.run(call)));
  }
}
