/*
 * The public API of the service for extensions. Extensions import from here only. Everything that is not exported
 * here may change at any time.
 */

// The service and its start.
export { AppModule } from './app.module';
export { apiDocument } from './platform/server/api-docs';
export { explainStartError } from './platform/server/start-errors';
export { startService, type StartOptions } from './start-service';
export { Environment } from './platform/config/environment';
export { EXTRA_SETTINGS } from './platform/config/extra-settings';

// Modules and services. An extension's module imports a module to inject its exports.
export { AiModule } from './ai/ai.module';
export { AuthModule } from './users/auth.module';
export { ColorModule } from './colors/color.module';
export { FormulasModule } from './formulas/formulas.module';
export { IngredientsModule } from './ingredients/ingredients.module';
export { ProjectsModule } from './projects/projects.module';
export { AiService } from './ai/pipeline/ai.service';
export { AccountsService } from './users/accounts.service';
export { AuthService } from './users/auth.service';
export { ColorService } from './colors/color.service';
export { FormulasService } from './formulas/formulas.service';
export { IngredientsService } from './ingredients/ingredients.service';
export { ProjectsService } from './projects/projects.service';

// Inputs and results of these services.
export type { PhaseDto } from './formulas/formula.dto';
export type { CompositionDto, CreateFormulaDto, UpdateFormulaDto } from './formulas/formula.dto';
export { FormulaQuery } from './formulas/formula.dto';
export type { CreateIngredientDto, UpdateIngredientDto } from './ingredients/ingredient.dto';
export { IngredientQuery } from './ingredients/ingredient.dto';
export type { CreateProjectDto, UpdateProjectDto } from './projects/project.dto';

// Authentication: passport strategies in addition to our tokens or instead of them, listed under AUTH_STRATEGIES.
export { AUTH_STRATEGIES, TOKEN_STRATEGY } from './platform/authentication/auth-strategies';

// Roles: an extension registers its roles under EXTRA_ROLES.
export { EXTRA_ROLES } from './platform/common/registered-roles';
export { Roles } from './platform/http/route-decorators';

// Access: a provider under CUSTOM_ACCESS_POLICY replaces the policy.
export { CUSTOM_ACCESS_POLICY, RECORD_KINDS } from './platform/access/access.module';
export {
  AccessPolicy,
  type ChangeScope,
  type OwnedRecord,
  OwnershipPolicy,
  type RecordKind,
} from './platform/access/access-policy';
export { requireAllowed } from './platform/access/access-policy';
export type { ReadableRecords, ReadValues } from './platform/access/access-policy';
export { type Reader, RowFilter, RowFilterService } from './platform/access/row-filter';
export type { CurrentUser } from './platform/common/current-user';

// Security log: an extension records its own events in it.
export { SecurityLog } from './platform/common/security-log';

// Health: further components that must be up, under HEALTH_INDICATOR.
export { HEALTH_INDICATOR, type HealthIndicator } from './platform/health/health-indicators';

// Custom fields on our records, declared under CUSTOM_FIELDS.
export { CUSTOM_FIELDS, type CustomFields, type FieldChanges } from './platform/custom-fields/custom-fields';
export { CustomFieldsService } from './platform/custom-fields/custom-fields.service';

// Events and rules of records: handlers under EVENT_HANDLER, validators under WRITE_VALIDATOR.
export type { DomainEvent } from './platform/events/domain-event';
export { EVENT_HANDLER, type EventHandler } from './platform/events/event-handlers';
export { type AskedWrite, WRITE_VALIDATOR, type WriteValidator } from './platform/events/write-validators';

// Database: an extension adds tables by migrations under EXTRA_MIGRATIONS, and removes them under REMOVED_MIGRATIONS.
export { EXTRA_MIGRATIONS, REMOVED_MIGRATIONS } from './platform/database/database.module';
export { DatabaseService, type Statement } from './platform/database/database.service';
export { violates } from './platform/database/pg-errors';
export { TransactionManager } from './platform/database/transaction-manager';

// Routes: all are guarded, validated and documented, unless a decorator changes that.
export { Clock } from './platform/common/clock';
export { AcceptsFile, type ReceivedFile } from './platform/http/accepts-file';
export { describeRows, readReceivedFile } from './files/read-import-file';
export { User } from './platform/http/route-decorators';
export { page, record, type Slice } from './platform/http/envelope';
export { AnswersJsonText, pageText, recordText } from './platform/http/envelope';
export { JsonText } from './platform/common/json-text';
export { PathId } from './platform/http/path-id';
export { Public } from './platform/http/route-decorators';
export { streamOpened, type StreamOpened } from './platform/sse/event-stream.interceptor';
export type { StreamMessage } from './platform/sse/open-streams';
export { ConcurrencyLimiter } from './platform/request-limits/concurrency-limiter';
export { UseLane } from './platform/request-limits/concurrency.guard';
export { StreamsEvents } from './platform/sse/event-stream.interceptor';
export { offsetOf, PageQuery } from './platform/common/pagination';
export { ApiDeleted, ApiErrors, ApiList, ApiPage, ApiRecord } from './platform/openapi/responses';
export {
  BooleanField,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TextListField,
  UuidField,
} from './platform/validation/fields';

export { QueryTextField } from './platform/validation/query-fields';

export { FreeJsonField, FreeObjectField } from './platform/validation/free-json';
export { IdField, ShownField, TimestampField } from './platform/validation/record-fields';
export { ResponseType } from './platform/validation/record-fields';
export {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  ServiceError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
} from './platform/common/errors/service-error';

// Messages to clients: texts have codes, and an extension adds a language under LANGUAGE.
export { LANGUAGE, type Language } from './platform/texts/languages';
export { ownText, text } from './platform/texts/text';

// AI: further providers under AI_PROVIDER, interceptors of every call under AI_INTERCEPTOR.
export { AI_INTERCEPTOR } from './ai/pipeline/ai-pipeline';
export { AI_CAPABILITY } from './platform/access/access.module';
export { aiCallOf } from './ai/pipeline/ai-call';
export type { AiEvent } from './ai/pipeline/ai-call';
export type { Capability } from './ai/pipeline/capability';
export { COMMON_RULES, dataBlock } from './ai/pipeline/capability';
export {
  AI_PROVIDER,
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  type EmbeddingRequest,
  type Embeddings,
} from './ai/providers/ai-provider';

export type { ProviderAccess } from './platform/runtime-config/runtime-configuration';
export { AiFailure, statusFailure } from './platform/common/errors/ai-failure';
export { AiStrategy } from './ai/providers/ai-provider';
export { OpenAiProvider } from './ai/providers/alpha/alpha.provider';
export { AnthropicProvider } from './ai/providers/beta/beta.provider';
export { providerFetch } from './ai/providers/sdk/provider-fetch';
export { exploreFormula } from './ai/capabilities/explore-formula/explore-formula';
export { extractFormula } from './ai/capabilities/extract-formula/extract-formula';
export { FormulaExtraction } from './ai/capabilities/extract-formula/formula-extraction';
export { predictFormula } from './ai/capabilities/predict-formula/predict-formula';
export { recommendColorants } from './ai/capabilities/recommend-colorants/recommend-colorants';
export { searchKeywords } from './ai/capabilities/search-keywords/search-keywords';
