import {
  type DynamicModule,
  Global,
  Module,
  type NestModule,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { Application } from 'express';
import { AccessModule } from './access.module';
import { AiModule } from './ai/ai.module';
import { AuthModule } from './auth/auth.module';
import { JwtAuthGuard } from './auth/jwt-auth.guard';
import { ColorModule } from './color/color.module';
import { CommonModule } from './common/common.module';
import { AllExceptionsFilter } from './common/errors/exception.filter';
import { RequestBodyGuard, takeOverBodyParsing } from './common/http/request-body';
import { answerWireErrors } from './common/http/wire-errors';
import { InputPipe } from './common/validation/input.pipe';
import { ConnectionDraining } from './connection-draining';
import { DatabaseModule } from './database/database.module';
import { Environment } from './environment/environment';
import { EnvironmentModule } from './environment/environment.module';
import { FormulasModule } from './formulas/formulas.module';
import { HealthModule } from './health/health.module';
import { IngredientsModule } from './ingredients/ingredients.module';
import { ProjectsModule } from './projects/projects.module';
import { RuntimeConfigModule } from './runtime-config/runtime-config.module';
import { ClientThrottlerGuard } from './throttling/client-throttler.guard';
import { ThrottlingModule } from './throttling/throttling.module';
import { UsersModule } from './users/users.module';

/** All paths begin with it, whether or not whoever boots the module sets it too. */
const GLOBAL_PREFIX = 'api';

export interface RegisterOptions {
  /** Nest modules added to the service. They may inject what `index.ts` exports. */
  extensions?: (Type | DynamicModule)[];
  /** Providers visible everywhere: what fills the service's extension tokens, e.g. `CUSTOM_ACCESS_POLICY`. */
  providers?: Provider[];
}

@Global()
@Module({})
class ExtensionProvidersModule {}

const tokenOf = (provider: Provider) => (typeof provider === 'function' ? provider : provider.provide);

/**
 * The whole service. Complete as a plain class: `imports: [AppModule]` and `init()` give the contract, with guards,
 * validation, errors and prefix. The order of the guards is the order of the answers: 429, 401, then 400.
 */
@Module({
  imports: [
    EnvironmentModule,
    CommonModule,
    AccessModule,
    DatabaseModule,
    HealthModule,
    UsersModule,
    AuthModule,
    ThrottlingModule,
    IngredientsModule,
    ProjectsModule,
    FormulasModule,
    RuntimeConfigModule,
    AiModule,
    ColorModule,
  ],
  providers: [
    ConnectionDraining,
    { provide: APP_GUARD, useExisting: ClientThrottlerGuard },
    { provide: APP_GUARD, useClass: JwtAuthGuard },
    { provide: APP_GUARD, useClass: RequestBodyGuard },
    { provide: APP_PIPE, useClass: InputPipe },
    {
      provide: APP_FILTER,
      inject: [Environment],
      useFactory: (environment: Environment) => new AllExceptionsFilter(environment.isProduction),
    },
  ],
})
export class AppModule implements NestModule {
  /** The service with additions. */
  static register({ extensions = [], providers = [] }: RegisterOptions = {}): DynamicModule {
    return {
      module: AppModule,
      imports: [
        { module: ExtensionProvidersModule, providers, exports: providers.map(tokenOf) },
        ...extensions,
      ],
    };
  }

  constructor(
    config: ApplicationConfig,
    private readonly adapterHost: HttpAdapterHost,
    private readonly environment: Environment,
  ) {
    config.setGlobalPrefix(GLOBAL_PREFIX);
  }

  /** Called before the routes are registered: what every boot of the module needs of the transport. */
  configure(): void {
    const application = this.adapterHost.httpAdapter.getInstance<Application>();
    application.set('trust proxy', this.environment.trustProxy);
    application.set('etag', false);
    // Without validators nothing is "not modified": `If-None-Match: *` gets the answer, not an empty 304.
    Object.defineProperty((application as unknown as { request: object }).request, 'fresh', { value: false });
    application.disable('x-powered-by');
    takeOverBodyParsing(application);
    answerWireErrors(this.adapterHost.httpAdapter.getHttpServer() as Server);
  }
}
