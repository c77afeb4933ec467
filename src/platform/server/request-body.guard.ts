import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { InvalidInputError } from '../common/errors/service-error';
import { type AcceptedFile, ACCEPTS_FILE } from '../http/accepts-file';
import { onceHandled } from '../http/answer-closed';
import { contentFault, IGNORED_PARAMETERS_HEADER, nameIgnored } from '../http/request-content';
import { isPublic } from '../http/route-decorators';
import { ConcurrencyGuard } from '../request-limits/concurrency.guard';
import { ConcurrencyLimiter } from '../request-limits/concurrency-limiter';
import { OWN_MODULES } from './api-docs';
import { type BodyLimits, hasBody, isJson, readJsonBody } from './request-body';
import { receiveFile } from './received-file';

const LIMITS: BodyLimits = { maxBytes: 1024 * 1024 };
const PUBLIC_LIMITS: BodyLimits = { maxBytes: 16 * 1024, timeoutMs: 5000 };

/** Methods whose body has no meaning. The service ignores it. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Reads the body after the rate limit and the token check, so that a request refused there costs no memory and no
 * parsing. If the route accepts files, a file is written to disk. Refuses a body that cannot be read or is not
 * JSON. In body and query it also refuses text that no database can store, and too many values or levels. Then the
 * request waits for its lane.
 *
 * All query parameters count as ignored until the validation pipe finds a class that reads them. A route of an
 * extension may read the query itself, so this applies to the service's own controllers only.
 */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  private ownControllers: ReadonlySet<unknown> | undefined;

  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: ConcurrencyLimiter,
    private readonly concurrency: ConcurrencyGuard,
    private readonly modules: ModulesContainer,
    @Inject(OWN_MODULES) private readonly ownModules: readonly unknown[],
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (hasBody(request) && !WITHOUT_BODY.has(request.method)) await this.readBody(request, context);
    // Express parses the query again on each access.
    const query = request.url.includes('?') ? request.query : undefined;
    const fault = contentFault(request.body) ?? contentFault(query);
    if (fault) throw InvalidInputError.of([fault]);
    if (query && this.isOwn(context)) nameIgnored(IGNORED_PARAMETERS_HEADER, new Set(Object.keys(query)));
    await this.concurrency.enterLane(context);
    return true;
  }

  private async readBody(request: Request, context: ExecutionContext): Promise<void> {
    const accepted = this.reflector.get<AcceptedFile | undefined>(ACCEPTS_FILE, context.getHandler());
    if (accepted && (accepted.json || !isJson(request))) {
      if (request.headers['content-length'] === '0') return;
      return this.takeFile(request, context.switchToHttp().getResponse<Response>());
    }
    const limits = isPublic(this.reflector, context) ? PUBLIC_LIMITS : LIMITS;
    request.body = await readJsonBody(request, limits);
  }

  /** Files take disk space, so two lanes limit how many are received or processed at a time. */
  private async takeFile(request: Request, response: Response): Promise<void> {
    onceHandled(response, await this.limiter.acquire('uploads', response));
    onceHandled(response, await this.limiter.acquire('receiving', response));
    Object.assign(request, { file: await receiveFile(request, response) });
  }

  private isOwn(context: ExecutionContext): boolean {
    this.ownControllers ??= new Set(
      [...this.modules.values()]
        .filter(({ metatype }) => this.ownModules.includes(metatype))
        .flatMap(({ controllers }) => [...controllers.values()].map(({ metatype }) => metatype)),
    );
    return this.ownControllers.has(context.getClass());
  }
}
