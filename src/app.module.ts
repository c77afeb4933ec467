import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessModule } from './platform/access/access.module';
import { AiModule, ProviderListModule } from './ai/ai.module';
import { AuthModule } from './users/auth.module';
import { JwtAuthGuard, RolesGuard } from './users/auth.guards';
import { ColorModule } from './colors/color.module';
import { CommonModule } from './platform/common/common.module';
import { ExtensionError } from './platform/common/extension-tokens';
import { InputPipe } from './platform/validation/input.pipe';
import { ConcurrencyGuard } from './platform/request-limits/concurrency.guard';
import { ConcurrencyModule } from './platform/request-limits/concurrency.module';
import { EnvironmentModule } from './platform/config/environment.module';
import { CustomFieldsModule } from './platform/custom-fields/custom-fields.module';
import { DatabaseModule } from './platform/database/database.module';
import { EventsModule } from './platform/events/events.module';
import { FormulasModule } from './formulas/formulas.module';
import { HealthModule } from './platform/health/health.module';
import { OWN_MODULES } from './platform/server/api-docs';
import { HttpModule } from './platform/server/http.module';
import { RequestBodyGuard } from './platform/server/request-body.guard';
import { IngredientsModule } from './ingredients/ingredients.module';
import { FilesModule } from './files/files.module';
import { RegulationsModule } from './regulations/regulations.module';
import { LabelsModule } from './labels/labels.module';
import { ObservabilityModule } from './platform/observability/tracing';
import { ProjectsModule } from './projects/projects.module';
import { RedisModule } from './platform/redis/redis.module';
import { RuntimeConfigModule } from './platform/runtime-config/runtime-config.module';
import { ClientThrottlerGuard } from './platform/request-limits/client-throttler.guard';
import { ThrottlingModule } from './platform/request-limits/throttling.module';

export interface RegisterOptions {
  /** Nest modules added to the service. They may inject everything that `index.ts` exports. */
  extensions?: (Type | DynamicModule | Promise<DynamicModule>)[];
  /** Global providers, such as those under the service's extension tokens. */
  providers?: Provider[];
}

const MODULES = [
  EnvironmentModule,
  ObservabilityModule,
  CommonModule,
  RedisModule,
  AccessModule,
  ConcurrencyModule,
  DatabaseModule,
  HealthModule,
  CustomFieldsModule,
  EventsModule,
  AuthModule,
  ThrottlingModule,
  IngredientsModule,
  ProjectsModule,
  FormulasModule,
  RuntimeConfigModule,
  AiModule,
  ColorModule,
  LabelsModule,
  FilesModule,
  RegulationsModule,
  HttpModule,
];

@Global()
@Module({})
class ExtensionProvidersModule {}

const tokenOf = (provider: Provider) => (typeof provider === 'function' ? provider : provider.provide);

/**
 * The service. It is complete as a plain class: `imports: [AppModule]` and `init()` provide the contract, with
 * guards, validation, errors and prefix. The order of the guards determines the order of the answers: 429, 401,
 * then 403 for a role, then 400.
 */
@Module({
  imports: MODULES,
  providers: [
    { provide: OWN_MODULES, useValue: [...MODULES, ProviderListModule] },
    { provide: APP_GUARD, useExisting: ClientThrottlerGuard },
    { provide: APP_GUARD, useExisting: ConcurrencyGuard },
    { provide: APP_GUARD, useClass: JwtAuthGuard },
    { provide: APP_GUARD, useExisting: RolesGuard },
    { provide: APP_GUARD, useClass: RequestBodyGuard },
    { provide: APP_PIPE, useClass: InputPipe },
  ],
})
export class AppModule {
  /**
   * Returns the service with additions.
   * @throws ExtensionError for an undefined extension; if the promise of a module is rejected, the start throws one
   */
  static register({ extensions = [], providers = [] }: RegisterOptions = {}): DynamicModule {
    refuseSecond(providers);
    return {
      module: AppModule,
      imports: [
        { module: ExtensionProvidersModule, providers, exports: providers.map(tokenOf) },
        ...(extensions.length + providers.length > 0 ? [ProviderListModule] : []),
        ...extensions.map(placed),
      ],
    };
  }
}

/** Nest would use only the last provider of a token: an earlier veto or redaction would never run. */
function refuseSecond(providers: NonNullable<RegisterOptions['providers']>): void {
  const tokens = providers.map(tokenOf);
  const second = tokens.find((token, index) => typeof token === 'symbol' && tokens.indexOf(token) < index);
  if (typeof second !== 'symbol') return;
  throw new ExtensionError(
    `AppModule.register: ${second.description} is provided twice, and Nest would use only the last one.`,
  );
}

type Extension = NonNullable<RegisterOptions['extensions']>[number];

/** Names the extension that is missing or whose promise is rejected. */
function placed(extension: Extension | undefined, index: number): Extension {
  if (!extension) {
    throw new ExtensionError(
      `AppModule.register: extensions[${index}] is undefined. Files that import each other can cause this.`,
    );
  }
  if (!(extension instanceof Promise)) return extension;
  return extension.catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExtensionError(`AppModule.register: extensions[${index}] is rejected: ${reason}`, { cause });
  });
}
