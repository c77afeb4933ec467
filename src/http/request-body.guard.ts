import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { InvalidInputError } from '../common/errors/service-error';
import { IGNORED_PARAMETERS_HEADER, nameIgnored } from '../common/http/ignored-names';
import { isPublic } from '../common/http/public.decorator';
import { contentFault } from '../common/http/request-content';
import { OWN_MODULES } from './api-docs';
import { type BodyLimits, hasBody, readJsonBody } from './request-body';

const LIMITS: BodyLimits = { maxBytes: 1024 * 1024 };
const PUBLIC_LIMITS: BodyLimits = { maxBytes: 16 * 1024, timeoutMs: 5000 };

/** Methods whose body means nothing: such a request is answered as one without. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Reads the body, once the rate limit and the token check have let the request pass: a request that is
 * refused there costs no memory and no parsing. Refuses a body that cannot be read or is not JSON, and, in
 * body and query, text that no database can store and more values or levels than the service works on.
 *
 * All parameters of the query count as ignored until the pipe finds a class that reads them. An extension's
 * route may read the query itself, so only its classes are taken into account.
 */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  private ownControllers: ReadonlySet<unknown> | undefined;

  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModulesContainer,
    @Inject(OWN_MODULES) private readonly ownModules: readonly unknown[],
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (hasBody(request) && !WITHOUT_BODY.has(request.method)) {
      const limits = isPublic(this.reflector, context) ? PUBLIC_LIMITS : LIMITS;
      request.body = await readJsonBody(request, limits);
    }
    // Express parses the query again each time it is read.
    const query = request.url.includes('?') ? request.query : undefined;
    const fault = contentFault(request.body) ?? contentFault(query);
    if (fault) throw InvalidInputError.of([fault]);
    if (query && this.isOwn(context)) nameIgnored(IGNORED_PARAMETERS_HEADER, new Set(Object.keys(query)));
    return true;
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
