import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request } from 'express';
import { InvalidInputError, ServiceError } from '../common/errors/service-error';
import { IGNORED_PARAMETERS_HEADER, nameIgnored } from '../common/http/ignored-names';
import { PUBLIC_ROUTE } from '../common/http/public.decorator';
import { contentFault, TOO_MANY_VALUES } from '../common/http/request-content';
import { type Text, text } from '../common/texts/text';
import { RouteMetadata } from '../common/http/route-metadata';
import { OWN_MODULES } from './api-docs';
import { type BodyBounds, type BodyFault, hasBody, readJsonBody, UnreadableBodyError } from './json-body';

const BOUNDS: BodyBounds = { bytes: 1024 * 1024 };

/** Of a route that anybody may call without a token: until it is there it has one of its address's places. */
const PUBLIC_BOUNDS: BodyBounds = { bytes: 16 * 1024, milliseconds: 5000 };

/** Methods whose body means nothing: such a request is answered as one without. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/** 408, 413 or 415: a body the service does not read. */
class BodyError extends ServiceError {
  override readonly name = 'BodyError';
  constructor(
    readonly status: number,
    told: Text,
    override readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(told);
  }
}

const ERRORS: Readonly<Record<BodyFault, () => ServiceError>> = {
  'too-large': () => new BodyError(413, text('body.too-large')),
  'too-slow': () => new BodyError(408, text('request.timeout'), { Connection: 'close' }),
  'not-json': () => new BodyError(415, text('body.not-json')),
  encoding: () => new BodyError(415, text('body.unsupported-encoding')),
  broken: () => new InvalidInputError(text('body.malformed')),
  'too-many-values': () => InvalidInputError.of([TOO_MANY_VALUES]),
};

/**
 * Reads the body, once the rate limit and the token check have let the request pass: who is refused there
 * costs no memory and no parsing. Refuses a body that cannot be read or is not JSON, and, in body and query,
 * text no database can store (NUL, unpaired surrogates) and more values or levels than are worked on.
 *
 * Of our own routes all parameters of the query count as ignored until the pipe finds a class that reads
 * them: a route without one ignores them all. What an extension's route reads is known of its classes only.
 */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  private ownControllers: ReadonlySet<unknown> | undefined;

  constructor(
    private readonly metadata: RouteMetadata,
    private readonly modules: ModulesContainer,
    @Inject(OWN_MODULES) private readonly ownModules: readonly unknown[],
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!hasBody(request) || WITHOUT_BODY.has(request.method)) return this.check(request, context);
    return this.readAndCheck(request, context);
  }

  private async readAndCheck(request: Request, context: ExecutionContext): Promise<boolean> {
    const isPublic = this.metadata.getAllAndOverride<boolean>(PUBLIC_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    try {
      request.body = await readJsonBody(request, isPublic ? PUBLIC_BOUNDS : BOUNDS);
    } catch (error) {
      throw error instanceof UnreadableBodyError ? ERRORS[error.fault]() : error;
    }
    return this.check(request, context);
  }

  private check(request: Request, context: ExecutionContext): true {
    // Express parses the query anew each time it is asked for.
    const query = request.url.includes('?') ? request.query : undefined;
    const fault = contentFault(request.body) ?? (query && contentFault(query));
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
