import type { Server } from 'node:http';
import { Module, type NestModule, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { Application } from 'express';
import { Clock } from '../common/clock';
import { SecurityLog } from '../common/security-log';
import { Environment } from '../config/environment';
import { ThrottlingModule } from '../request-limits/throttling.module';
import { AccessLog } from './access-log';
import { Answers } from './answers';
import { answerClientErrors } from './client-errors';
import { limitConnections } from './connection-limits';
import { AllExceptionsFilter } from './exception.filter';
import { HttpTelemetry } from './http.telemetry';
import { prepareAnswer } from './prepare-answer';
import { continueWhenRead } from './request-body';
import { removeAbandonedFiles } from './received-file';
import { refuseRoutesOutsideExt, refuseSharedRoutes } from './shared-routes';
import { OWN_MODULES } from './api-docs';
import { ConnectionDraining } from './shutdown';
import { UnknownRoutes } from './unknown-routes';

/** Prefix of all paths, even if the code that boots the module does not set it. */
const GLOBAL_PREFIX = 'api';

/**
 * The HTTP server: the parts of the transport that every boot of the application needs, before and around its
 * routes.
 */
@Module({
  imports: [ThrottlingModule],
  providers: [
    Answers,
    {
      provide: AccessLog,
      inject: [Environment, Answers, Clock],
      useFactory: (environment: Environment, answers: Answers, clock: Clock) =>
        new AccessLog(environment, answers, clock, Math.random),
    },
    ConnectionDraining,
    HttpTelemetry,
    UnknownRoutes,
    {
      provide: APP_FILTER,
      inject: [Environment, SecurityLog],
      useFactory: (environment: Environment, security: SecurityLog) =>
        new AllExceptionsFilter(environment.isProduction, security),
    },
  ],
})
export class HttpModule implements NestModule, OnModuleInit {
  constructor(
    config: ApplicationConfig,
    private readonly adapterHost: HttpAdapterHost,
    private readonly environment: Environment,
    private readonly answers: Answers,
    private readonly modules: ModulesContainer,
  ) {
    config.setGlobalPrefix(GLOBAL_PREFIX);
    // Runs as soon as the adapter exists, so that no middleware of Nest or of the caller is registered earlier.
    adapterHost.init$.subscribe(() => this.prepareAdapter());
  }

  /** Nest calls this before it registers the routes, and never in an application without HTTP, such as a command. */
  configure(): void {
    refuseSharedRoutes(this.modules);
    refuseRoutesOutsideExt(this.modules, OWN_MODULES);
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    limitConnections(server, this.environment.keepAliveSeconds);
    answerClientErrors(server, this.answers);
    server.on('checkContinue', (request, response) => {
      continueWhenRead(request, response);
      server.emit('request', request, response);
    });
    // Any other expectation than `100-continue` is ignored, as RFC 9110 allows.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    // Node's own 400 has no body. `prepareAnswer` answers such a request.
    Object.assign(server, { requireHostHeader: false });
  }

  onModuleInit(): Promise<void> {
    return removeAbandonedFiles();
  }

  private prepareAdapter(): void {
    const { httpAdapter } = this.adapterHost as { httpAdapter?: HttpAdapterHost['httpAdapter'] };
    // Commands run without HTTP.
    if (!httpAdapter) return;
    const application = httpAdapter.getInstance<Application & { request: object }>();
    application.set('trust proxy', this.environment.trustProxy);
    application.set('etag', false);
    // Disable `304 Not Modified`: without validators, `If-None-Match: *` must get the answer, not an empty 304.
    Object.defineProperty(application.request, 'fresh', { value: false });
    application.disable('x-powered-by');
    // Nest's own parsers would read every body before the guards run. RequestBodyGuard reads it after them.
    httpAdapter.registerParserMiddleware = () => undefined;
    application.use(prepareAnswer(this.answers));
  }
}
