import type { OpenAPIObject } from '@nestjs/swagger';
import { type AcceptedFile, FILE_OPERATION, FILE_TYPES, FORM_FIELD, FORM_TYPE } from '../http/accepts-file';
import {
  IGNORED_FIELDS_HEADER,
  IGNORED_PARAMETERS_HEADER,
  MAX_IGNORED_NAMES,
  MAX_VALUES,
} from '../http/request-content';
import { ERROR_CODE_HEADER, faultOf, render, type Text, text } from '../texts/text';
import { examplePathId } from './example-ids';
import { operationsOf } from './merge-documents';

/** Marks an operation as public, that is, open to clients without a token. `completeDocument` removes the mark. */
export const PUBLIC_OPERATION = 'x-public';

export const STATUS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request breaks a rule',
  401: 'No usable token, or wrong credentials',
  403: 'Not allowed',
  404: 'No such record',
  409: 'Contradicts what is stored',
  412: 'Changed since it was read: If-Match names none of its states but older ones',
  413: 'Body larger than 1 MB, a file than 20 MB, or than 16 KB where no token is needed',
  415: 'The body is not JSON, is compressed, or its encoding is unknown',
  429: 'More requests than the limit allows',
  500: 'Server error; in production the text is always Internal Server Error',
  503: 'Out of reach or overloaded at the moment',
};

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];
type ResponseObject = Exclude<Responses[string], { $ref: string } | undefined>;
type Examples = Record<string, { summary: string; value: unknown }>;

const ERROR_SCHEMA = { $ref: '#/components/schemas/ErrorDto' };

/** Examples of error bodies, numbered from 1. */
export const numberedExamples = (
  status: number,
  bodies: readonly ({ error: string } & Record<string, unknown>)[],
): Examples =>
  Object.fromEntries(
    bodies.map((body, index) => [
      String(index + 1),
      { summary: body.error, value: { ...body, statusCode: status } },
    ]),
  );

const examplesOf = (status: number, texts: readonly Text[]): Examples =>
  numberedExamples(
    status,
    texts.map((text) => ({ error: render(text) })),
  );

const header = (description: string) => ({ description, schema: { type: 'string' as const } });
const retryAfter = { 'Retry-After': header('Seconds until another attempt makes sense') };

function errorResponse(status: number, texts: Text[], headers?: ResponseObject['headers']): ResponseObject {
  return {
    description: STATUS_DESCRIPTIONS[status] ?? 'Error',
    headers: { ...headers, ...ERROR_CODE },
    content: { 'application/json': { schema: ERROR_SCHEMA, examples: examplesOf(status, texts) } },
  };
}

interface SharedError {
  status: number;
  texts: Text[];
  headers?: ResponseObject['headers'];
}

const ERROR_CODE = { [ERROR_CODE_HEADER]: { $ref: `#/components/headers/${ERROR_CODE_HEADER}` } };

/** Errors that any operation can return, by name of the shared response. */
const SHARED = {
  Unauthorized: {
    status: 401,
    texts: [text('auth.required')],
    headers: { 'WWW-Authenticate': header('Bearer') },
  },
  PayloadTooLarge: {
    status: 413,
    texts: [text('body.too-large'), text('body.file-too-large', { megabytes: 20 })],
  },
  UnsupportedMediaType: { status: 415, texts: [text('body.not-json'), text('body.unsupported-encoding')] },
  TooManyRequests: { status: 429, texts: [text('rate.limited')], headers: retryAfter },
  InternalServerError: { status: 500, texts: [text('server.failed'), 'Internal Server Error'] },
  ServiceUnavailable: {
    status: 503,
    texts: [text('database.unavailable'), text('database.busy'), text('server.busy')],
    headers: retryAfter,
  },
} satisfies Record<string, SharedError>;

/** Errors about a body that are found before its fields are checked. */
const BODY_TEXTS = [
  text('body.malformed'),
  text('body.not-an-object'),
  faultOf('body', text('field.null-character')),
  faultOf('body', text('field.too-many-values', { max: MAX_VALUES })),
];

/**
 * Adds to a generated document everything that applies to all operations: which of them need a token, the errors of
 * the rate limit, the token check and the body parser, the headers of every answer, and the description of an id in
 * the path. Also completes the routes of extensions.
 * @param schemes the security schemes, any one of which is sufficient
 */
export function completeDocument(
  document: OpenAPIObject,
  schemes: readonly string[] = ['bearer'],
): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    const pathId = examplePathId(path);
    for (const operation of operationsOf({ [path]: item })) completeOperation(operation, schemes, pathId);
  }
  const shared = Object.entries<SharedError>(SHARED).map(
    ([name, { status, texts, headers }]) => [name, errorResponse(status, texts, headers)] as const,
  );
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...Object.fromEntries(shared) },
    headers: {
      ...document.components?.headers,
      ...ANSWER_HEADERS,
      ...IGNORED_HEADERS,
      [ERROR_CODE_HEADER]: ERROR_CODE_DESCRIPTION,
    },
  };
  return document;
}

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });

const ANSWER_HEADERS = {
  'X-Request-Id': {
    description: 'Names the request in the log, on errors too: the one that came with it where it is plain',
    schema: { type: 'string' as const, maxLength: 64 },
  },
  'X-RateLimit-Limit': integerHeader('Requests per window'),
  'X-RateLimit-Remaining': integerHeader('Requests left in this window'),
  'X-RateLimit-Reset': integerHeader('Seconds until the window ends'),
};

const ignoredNames = (description: string, example: string) => ({
  description: `${description}, at most ${MAX_IGNORED_NAMES}, percent-encoded; missing if there are none`,
  schema: { type: 'string' as const, example },
});

const IGNORED_HEADERS = {
  [IGNORED_FIELDS_HEADER]: ignoredNames(
    'Names of fields of the body that nothing reads, as paths without indexes',
    'projectId, phases.ingredients.note',
  ),
  [IGNORED_PARAMETERS_HEADER]: ignoredNames('Names of query parameters that nothing reads', 'createdBy'),
};

const ERROR_CODE_DESCRIPTION = {
  description: 'Code of the error for programs. It does not change when the text does',
  schema: { type: 'string' as const, example: text('formula.not-found').code },
};

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function completeOperation(operation: Operation, schemes: readonly string[], pathId?: string): void {
  const marked = operation as Operation & { [PUBLIC_OPERATION]?: boolean };
  const isPublic = marked[PUBLIC_OPERATION] === true;
  delete marked[PUBLIC_OPERATION];
  operation.security = isPublic ? [] : schemes.map((scheme) => ({ [scheme]: [] }));

  const isFile = describeFile(operation);
  const { responses } = operation;
  const share = (name: keyof typeof SHARED) => {
    const { status, texts }: SharedError = SHARED[name];
    if (responses[status]) addTexts(responses, status, texts);
    else responses[status] = { $ref: `#/components/responses/${name}` };
  };
  if (!isPublic) share('Unauthorized');
  if (operation.requestBody) {
    addTexts(responses, 400, BODY_TEXTS);
    share('PayloadTooLarge');
    if (isFile) addTexts(responses, 415, [text('body.not-a-file')]);
    share('UnsupportedMediaType');
  }
  const query = operation.parameters?.find((parameter) => 'in' in parameter && parameter.in === 'query');
  if (query && 'name' in query) addTexts(responses, 400, [faultOf(query.name, text('field.null-character'))]);
  share('TooManyRequests');
  share('InternalServerError');
  share('ServiceUnavailable');

  const ignored = operation.requestBody ? Object.keys(IGNORED_HEADERS) : [IGNORED_PARAMETERS_HEADER];
  for (const [status, response] of Object.entries(responses)) {
    if (!response || '$ref' in response) continue;
    response.headers = { ...response.headers, ...headerRefs(ignored) };
    if (Number(status) >= 400) response.headers = { ...response.headers, ...ERROR_CODE };
    if (Number(status) >= 300) continue;
    response.headers = { ...response.headers, ...headerRefs(Object.keys(ANSWER_HEADERS)) };
  }

  for (const parameter of operation.parameters ?? []) {
    if (!('in' in parameter) || parameter.in !== 'path' || parameter.name !== 'id') continue;
    parameter.description ??= 'Id of the record; what is no UUID names no record (404)';
    parameter.schema = { type: 'string', format: 'uuid', ...(pathId && { example: pathId }) };
  }
}

/**
 * Describes a file as request body, beside JSON if the route also accepts JSON.
 * @returns true if the route accepts a file
 */
function describeFile(operation: Operation): boolean {
  const marked = operation as Operation & { [FILE_OPERATION]?: AcceptedFile };
  const accepted = marked[FILE_OPERATION];
  if (!accepted) return false;
  delete marked[FILE_OPERATION];
  const binary = { type: 'string' as const, format: 'binary' };
  const { example } = accepted;
  const json =
    operation.requestBody && 'content' in operation.requestBody ? operation.requestBody.content : {};
  operation.requestBody = {
    required: true,
    content: {
      ...json,
      ...Object.fromEntries(FILE_TYPES.map((type) => [type, { schema: binary }])),
      'text/csv': { schema: binary, ...(example !== undefined && { example }) },
      [FORM_TYPE]: {
        schema: { type: 'object', required: [FORM_FIELD], properties: { [FORM_FIELD]: binary } },
      },
      ...(accepted.json && { 'application/json': { schema: binary } }),
    },
  };
  return true;
}

/** Adds example texts to an error of the operation, and creates the error if it was not documented. */
function addTexts(responses: Responses, status: number, texts: readonly Text[]): void {
  const response = (responses[status] ??= errorResponse(status, [])) as ResponseObject;
  const content = response.content?.['application/json'];
  // An error with another schema documents its own examples.
  if (!content?.schema || !('$ref' in content.schema) || content.schema.$ref !== ERROR_SCHEMA.$ref) return;
  const present = Object.values((content.examples ?? {}) as Examples);
  const errors = present.map(({ summary }) => summary);
  const added = Object.values(examplesOf(status, texts)).filter(({ summary }) => !errors.includes(summary));
  content.examples = Object.fromEntries(
    [...present, ...added].map((example, index) => [String(index + 1), example]),
  );
}
