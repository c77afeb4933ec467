import type { Server } from 'node:http';
import { Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { Application } from 'express';
import { Clock } from '../common/clock';
import { SecurityLog } from '../common/security-log';
import { Languages } from '../common/texts/languages';
import { Environment } from '../config/environment';
import { ThrottlingModule } from '../throttling/throttling.module';
import { AccessLog } from './access-log';
import { Answers } from './answers';
import { answerClientErrors } from './client-errors';
import { limitConnections } from './connection-limits';
import { AllExceptionsFilter } from './exception.filter';
import { HttpTelemetry } from './http.telemetry';
import { prepareAnswer } from './prepare-answer';
import { continueWhenRead } from './request-body';
import { refuseSharedRoutes } from './shared-routes';
import { ConnectionDraining } from './shutdown';
import { UnknownRoutes } from './unknown-routes';

/** All paths begin with it, whether or not whoever boots the module sets it too. */
const GLOBAL_PREFIX = 'api';

/**
 * The HTTP server: what every boot of the application needs of the transport, before and around its routes.
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
      inject: [Environment, SecurityLog, Languages],
      useFactory: (environment: Environment, security: SecurityLog, languages: Languages) =>
        new AllExceptionsFilter(environment.isProduction, security, languages),
    },
  ],
})
export class HttpModule implements NestModule {
  constructor(
    config: ApplicationConfig,
    private readonly adapterHost: HttpAdapterHost,
    private readonly environment: Environment,
    private readonly answers: Answers,
    private readonly modules: ModulesContainer,
  ) {
    config.setGlobalPrefix(GLOBAL_PREFIX);
    // As soon as there is an adapter, so that nothing of the caller's or of Nest's comes before it.
    adapterHost.init$.subscribe(() => this.prepareAdapter());
  }

  /**
   * Called before the routes are registered, and never where the application runs without HTTP, as in
   * commands.
   */
  configure(): void {
    refuseSharedRoutes(this.modules);
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    limitConnections(server, this.environment.keepAliveSeconds);
    answerClientErrors(server, this.answers);
    server.on('checkContinue', (request, response) => {
      continueWhenRead(request, response);
      server.emit('request', request, response);
    });
    // Any other expectation than `100-continue` is ignored, as RFC 9110 allows.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    // Node's own 400 would have no body: see `prepareAnswer`.
    Object.assign(server, { requireHostHeader: false });
  }

  private prepareAdapter(): void {
    const { httpAdapter } = this.adapterHost as { httpAdapter?: HttpAdapterHost['httpAdapter'] };
    // Commands run without HTTP.
    if (!httpAdapter) return;
    const application = httpAdapter.getInstance<Application>();
    application.set('trust proxy', this.environment.trustProxy);
    application.set('etag', false);
    // Without validators nothing is "not modified": `If-None-Match: *` gets the answer, not an empty 304.
    Object.defineProperty((application as unknown as { request: object }).request, 'fresh', { value: false });
    application.disable('x-powered-by');
    // Nest's own parsers would read every body in front of the guards: RequestBodyGuard reads it after them.
    httpAdapter.registerParserMiddleware = () => undefined;
    application.use(prepareAnswer(this.answers));
  }
}
