import { type ExecutionContext, HttpException, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import passport, { type Strategy } from 'passport';
import type { CurrentUser } from '../common/current-user';
import { loggedError } from '../common/errors/logged-error';
import { ServiceError, UnauthorizedError } from '../common/errors/service-error';
import { isClosed } from '../common/http/answer-closed';
import { isUuid } from '../common/validation/uuid';
import { serverBusy } from '../concurrency/concurrency-limiter';
import type { OtherStrategy } from './auth-strategies';
import { UsersRepository } from './users/users.repository';

/** How long a strategy of an extension may take for one request, in milliseconds. */
export class StrategyTimeout {
  constructor(readonly ms = 10_000) {}
}

/** What a strategy has said: nothing where it did not recognise anybody. */
interface Said {
  user?: unknown;
  info?: unknown;
}

/** Somebody else's strategies, held to what ours keeps: they answer in time, and with an account of ours. */
@Injectable()
export class OtherStrategies {
  private readonly logger = new Logger('Authentication');

  constructor(
    private readonly users: UsersRepository,
    private readonly timeout: StrategyTimeout,
  ) {}

  /**
   * The account that a strategy recognises, as the database has it now; undefined where it knows nobody.
   * @throws UnauthorizedError when it gives something else than an active account, UnavailableError when it
   *   fails or does not answer in time, and what it reports: a `ServiceError`, an `HttpException` below 500
   */
  async authenticate(
    { name, strategy }: OtherStrategy,
    context: ExecutionContext,
  ): Promise<CurrentUser | undefined> {
    let said: Said;
    let id: string | undefined;
    try {
      said = await this.ask(name, strategy, context);
      if (!said.user) return undefined;
      id = accountId(said.user);
    } catch (error) {
      if (isAnswer(error)) throw error;
      this.logger.error({ err: loggedError(error) }, `The strategy "${name}" has failed`);
      throw serverBusy();
    }
    const account = id === undefined ? undefined : await this.users.findCurrent(id);
    if (!account) {
      // No value: it may be the key.
      const what =
        id === undefined ? 'no user of ours (id, username, role)' : 'a user without an active account';
      this.logger.error(`The strategy "${name}" gave ${what}`);
      throw new UnauthorizedError();
    }
    context.switchToHttp().getRequest<Request>().authInfo = said.info as Express.AuthInfo;
    return { id: account.id, username: account.username, role: account.role };
  }

  /** Ends when the strategy has said something, when its time is up, or when the client has gone. */
  private ask(name: string, strategy: Strategy, context: ExecutionContext): Promise<Said> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    return new Promise<Said>((resolve, reject) => {
      if (isClosed(response)) throw serverBusy();
      const left = () => end(() => reject(serverBusy()));
      const timer = setTimeout(() => {
        this.logger.error(`The strategy "${name}" has not answered within ${this.timeout.ms} ms`);
        left();
      }, this.timeout.ms).unref();
      response.once('close', left);
      const end = (settle: () => void) => {
        clearTimeout(timer);
        response.off('close', left);
        settle();
      };
      const fail = (error: unknown) =>
        end(() => reject(error instanceof Error ? error : new Error('It reported no Error')));
      const tell = (error: unknown, user?: unknown, info?: unknown) =>
        error ? fail(error) : end(() => resolve({ user, info }));
      try {
        const authenticate = passport.authenticate(attemptOf(strategy, fail), { session: false }, tell) as (
          request: Request,
          response: Response,
          next: (error?: unknown) => void,
        ) => void;
        // Called when a strategy passes without a decision: the next one is tried.
        authenticate(http.getRequest<Request>(), response, tell);
      } catch (error) {
        fail(error);
      }
    });
  }
}

/** One request's own, as passport makes it of a name; what an asynchronous one throws is not lost. */
function attemptOf(strategy: Strategy, fail: (error: unknown) => void): Strategy {
  const attempt = Object.create(strategy) as Strategy;
  attempt.authenticate = function (this: never, ...given: Parameters<Strategy['authenticate']>) {
    Promise.resolve(strategy.authenticate.apply(this, given)).catch(fail);
  };
  return attempt;
}

const isAnswer = (error: unknown): boolean =>
  error instanceof ServiceError || (error instanceof HttpException && error.getStatus() < 500);

/** Of a `CurrentUser`; undefined for anything else. */
function accountId(user: unknown): string | undefined {
  const { id, username, role } = user as Partial<Record<keyof CurrentUser, unknown>>;
  return isUuid(id) && typeof username === 'string' && typeof role === 'string' ? id : undefined;
}
