import { type ExecutionContext, HttpException, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import passport, { type Strategy } from 'passport';
import type { CurrentUser } from '../platform/common/current-user';
import { loggedError } from '../platform/common/errors/logged-error';
import { ServiceError, UnauthorizedError } from '../platform/common/errors/service-error';
import { isClosed } from '../platform/http/answer-closed';
import { isUuid } from '../platform/validation/uuid';
import { serverBusy } from '../platform/request-limits/concurrency-limiter';
import type { OtherStrategy } from '../platform/authentication/auth-strategies';
import { UsersRepository } from './users.repository';

/** Time that a strategy of an extension may take for one request, in milliseconds. */
export class StrategyTimeout {
  constructor(readonly ms = 10_000) {}
}

/** Result of a strategy. Without `user` it has not authenticated the client. */
interface Said {
  user?: unknown;
  info?: unknown;
}

/** Runs the strategies of extensions. They must answer in time and return an existing account. */
@Injectable()
export class OtherStrategies {
  private readonly logger = new Logger('Authentication');

  constructor(
    private readonly users: UsersRepository,
    private readonly timeout: StrategyTimeout,
  ) {}

  /**
   * Returns the account that a strategy has authenticated, with its stored data; undefined if there is none.
   * @throws UnauthorizedError if it returns anything but an active account; UnavailableError if it fails or does
   *   not answer in time; and the strategy's own `ServiceError` or `HttpException` below 500
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
      // The message contains no value, because it could be a key.
      const what =
        id === undefined ? 'no user of ours (id, username, role)' : 'a user without an active account';
      this.logger.error(`The strategy "${name}" gave ${what}`);
      throw new UnauthorizedError();
    }
    context.switchToHttp().getRequest<Request>().authInfo = said.info as Express.AuthInfo;
    return { id: account.id, username: account.username, role: account.role };
  }

  /** Ends when the strategy has decided, when the time is up, or when the client disconnects. */
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
        // `next` is called if a strategy passes without a decision. Then the next strategy is tried.
        authenticate(http.getRequest<Request>(), response, tell);
      } catch (error) {
        fail(error);
      }
    });
  }
}

/** Creates an instance for one request, as passport does. Rejections of an asynchronous strategy are caught. */
function attemptOf(strategy: Strategy, fail: (error: unknown) => void): Strategy {
  const attempt = Object.create(strategy) as Strategy;
  attempt.authenticate = function (this: never, ...given: Parameters<Strategy['authenticate']>) {
    Promise.resolve(strategy.authenticate.apply(this, given)).catch(fail);
  };
  return attempt;
}

const isAnswer = (error: unknown): boolean =>
  error instanceof ServiceError || (error instanceof HttpException && error.getStatus() < 500);

/** Returns the id of a `CurrentUser`; undefined for anything else. */
function accountId(user: unknown): string | undefined {
  const { id, username, role } = user as Partial<Record<keyof CurrentUser, unknown>>;
  return isUuid(id) && typeof username === 'string' && typeof role === 'string' ? id : undefined;
}
