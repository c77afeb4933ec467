/*
 * The public surface: whoever extends the service imports from here and from nowhere else. What is not here
 * may change at any time.
 */

// The service, and how it is started.
export { AppModule, type RegisterOptions } from './app.module';
export { configureApp } from './app.factory';
export { apiDocument } from './server/api-docs';
export { explainStartError } from './server/start-errors';
export { startService, type StartOptions } from './start-service';
export { Environment } from './environment/environment';
export { EXTRA_SETTINGS, type SettingsSchema } from './environment/extra-settings';

// Its parts: an extension's module imports a module to inject what it exports.
export { AiModule } from './ai/ai.module';
export { AuthModule } from './auth/auth.module';
export { ColorModule } from './color/color.module';
export { FormulasModule } from './formulas/formulas.module';
export { IngredientsModule } from './ingredients/ingredients.module';
export { ProjectsModule } from './projects/projects.module';
export { AiService } from './ai/call/ai.service';
export { type AccountChange, AccountsService, type Provision } from './auth/accounts.service';
export { AuthService } from './auth/auth.service';
export { ColorService } from './color/color.service';
export { FormulasService } from './formulas/formulas.service';
export { IngredientsService } from './ingredients/ingredients.service';
export { ProjectsService } from './projects/projects.service';

// What those services take and give.
export type { LoginDto, RegisterDto } from './auth/dto/credentials.dto';
export type { SessionDto } from './auth/dto/session.dto';
export type { ListedUser } from './users/users.repository';
export type {
  ColorFormulaDto,
  ColorMatchDto,
  CreateColorFormulaDto,
  RecommendationDto,
} from './color/color.dto';
export type { Lab } from './color/difference';
export type {
  CompositionDto,
  CreateFormulaDto,
  FormulaDto,
  FormulaMetadataDto,
  FormulaQuery,
  ListedFormulaDto,
  PhaseDto,
  RevisionDto,
  UpdateFormulaDto,
} from './formulas/formula.dto';
export type {
  CreateIngredientDto,
  IngredientDto,
  IngredientQuery,
  UpdateIngredientDto,
} from './ingredients/ingredient.dto';
export type {
  CreateProjectDto,
  ListedProjectDto,
  ProjectDto,
  UpdateProjectDto,
} from './projects/project.dto';

// Who is asking: passport strategies beside or instead of our tokens, named under AUTH_STRATEGIES.
export { AUTH_STRATEGIES, TOKEN_STRATEGY } from './auth/auth-strategies';

// Roles: those of an extension are registered under EXTRA_ROLES.
export { EXTRA_ROLES, RegisteredRoles } from './common/access/registered-roles';
export { Roles } from './common/http/roles.decorator';

// Who may do what: replaced by a provider under CUSTOM_ACCESS_POLICY.
export { CUSTOM_ACCESS_POLICY, RECORD_KINDS } from './access.module';
export {
  AccessPolicy,
  type Action,
  type OwnedRecord,
  OwnershipPolicy,
  type RecordKind,
} from './common/access/access-policy';
export { requireAllowed } from './common/access/require-allowed';
export type { ReadableRecords, ReadCondition, ReadValues } from './common/access/readable-records';
export { type Reader, type RowCondition, RowFilter } from './database/row-filter';
export { RowFilterService } from './database/row-filter.service';
export type { CurrentUser, Role } from './common/access/current-user';

// What concerns security: an extension records its own events beside ours.
export { SecurityLog } from './common/security-log';

// Health: what else must be up, under HEALTH_INDICATOR.
export { HEALTH_INDICATOR, type HealthIndicator } from './health/health-indicator';

// Fields of its own on our records, declared under OWN_FIELDS.
export { type FieldChanges, type FieldValues, OWN_FIELDS, type OwnFields } from './own-fields/own-fields';
export { type FoundRecord, OwnFieldsService } from './own-fields/own-fields.service';

// What happens to records: handlers under EVENT_HANDLER, rules of their own under WRITE_VALIDATOR.
export type { DomainEvent, DomainEvents, DomainEventType } from './events/domain-event';
export { EVENT_HANDLER, type EventHandler } from './events/event-handler';
export { type AskedWrite, WRITE_VALIDATOR, type WriteValidator } from './events/write-validator';
// Stores that several instances share, in place of each one's own: one under each token.
export { THROTTLER_STORAGE } from './throttling/rate-limit.storage';
export { AI_ANSWER_STORE, type AiAnswerStore } from './ai/call/cache/shared-answers';
export { AI_RATE_STORE, type AiRateStore } from './ai/call/rate-limit/ai-rate';

// The database: tables of an extension come by migrations under EXTRA_MIGRATIONS, and go under the other.
export { EXTRA_MIGRATIONS, REMOVED_MIGRATIONS } from './database/database.module';
export { Database, type Statement } from './database/database';
export { ConstraintViolation, type ConstraintKind, violates } from './database/pg-errors';

// Routes: everything is guarded, validated and documented unless it says otherwise.
export { Clock } from './common/clock';
export { User } from './common/http/current-user.decorator';
export {
  page,
  type PageEnvelope,
  type Pagination,
  record,
  type RecordEnvelope,
  type Slice,
} from './common/http/envelope';
export { AnswersJsonText, pageText, recordText } from './common/http/json-text';
export { JsonPage, JsonText } from './common/json-text';
export { PathId } from './common/http/path-id';
export { Public } from './common/http/public.decorator';
export { type StreamMessage, streamOpened, type StreamOpened } from './common/sse/stream-opened';
export { ConcurrencyLimiter } from './concurrency/concurrency-limiter';
export { UseLane } from './concurrency/lane.decorator';
export type { Lane, RouteLane } from './concurrency/lanes';
export { StreamsEvents } from './common/sse/streams-events.decorator';
export { offsetOf, PageQuery } from './common/pagination';
export {
  ApiDeleted,
  ApiErrorResponse,
  ApiErrors,
  ApiList,
  ApiPage,
  ApiRecord,
  ErrorDto,
} from './common/openapi/responses';
export {
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TextListField,
  UuidField,
} from './common/validation/fields';
export {
  QueryEnumField,
  QueryIntegerField,
  QueryNumberField,
  QueryTextField,
} from './common/validation/query-fields';
export { FreeJsonField, FreeObjectField } from './common/validation/free-json';
export { toUpdateValues, toInsertValues } from './common/validation/field-values';
export { IdField, ShownField, TimestampField } from './common/validation/record-fields';
export { ResponseType } from './common/validation/response-type';
export { isUuid } from './common/validation/uuid';
export {
  ConflictError,
  type FieldFault,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PreconditionFailedError,
  ServiceError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
} from './common/errors/service-error';

// What clients are told: texts have codes, an extension adds a language under LANGUAGE.
export { LANGUAGE, type Language } from './common/texts/language';
export type { TextCode } from './common/texts/catalogue';
export {
  type CatalogueText,
  faultOf,
  type FaultText,
  type OwnText,
  ownText,
  type Text,
  text,
} from './common/texts/text';

// AI: another provider under AI_PROVIDER, another interceptor around every call under AI_INTERCEPTOR.
export { AI_INTERCEPTOR } from './ai/call/ai-pipeline';
export { aiCallOf } from './ai/call/ai-call-context';
export type { AiCall, AiEvent, AiSource, CallPolicy } from './ai/call/ai-call';
export type { AiPart, AiResult, CallOptions } from './ai/call/ai.service';
export type { AnswerParts, Capability, EmbeddedTexts, Prompt } from './ai/call/capability';
export type { Usage } from './ai/call/usage';
export { COMMON_RULES, dataBlock } from './ai/capabilities/prompt-data';
export {
  AI_PROVIDER,
  type AiProvider,
  type AnswerSchema,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  type EmbeddingRequest,
  type Embeddings,
  type ProviderCapabilities,
  type ProviderRole,
} from './ai/provider/ai-provider';
export type { ProviderAccess } from './runtime-config/runtime-configuration';
export {
  AiFailure,
  type FailureKind,
  InvalidAnswer,
  readRetryAfter,
  statusFailure,
} from './ai/provider/ai-failure';
export { AiStrategy, type AiTarget } from './ai/provider/ai-strategy';
export { providerFetch } from './ai/providers/sdk/provider-fetch';
export {
  type Exploration,
  exploreFormula,
  type ExploreOption,
} from './ai/capabilities/explore-formula/explore-formula';
export type { ExploreInput } from './ai/capabilities/explore-formula/explore-rules';
export {
  extractFormula,
  type ExtractInput,
  type Extraction,
} from './ai/capabilities/extract-formula/extract-formula';
export {
  predictFormula,
  type PredictInput,
  type Prediction,
} from './ai/capabilities/predict-formula/predict-formula';
export {
  type ColorantRecommendations,
  recommendColorants,
  type RecommendInput,
} from './ai/capabilities/recommend-colorants/recommend-colorants';
export {
  type SearchInput,
  searchKeywords,
  type SearchUnderstanding,
} from './ai/capabilities/search-keywords/search-keywords';
