import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { AcceptsFile, FORM_FIELD } from '../../platform/http/accepts-file';
import { ApiErrors, ApiRecord } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { text } from '../../platform/texts/text';
import { ImportAnswerDto } from './file.dto';
import { FILE_TYPES } from './file-transfer.service';

const NO_FILE = InvalidInputError.of([{ field: FORM_FIELD, message: text('file.missing') }]).text;

const ALL_OR_NONE =
  'All rows are imported or none, unless `partial`. `applied` says so. The status is 200 even if rows have faults.';

type FileKind = 'formulas' | 'ingredients' | 'colors';

interface RouteDescription {
  readonly summary: string;
  readonly description: string;
}

/** @param example a small CSV file for the OpenAPI document, which the demo laboratory can import */
export const ImportsFile = (kind: FileKind, example: string, { summary, description }: RouteDescription) =>
  applyDecorators(
    Post(`import/${kind}`),
    HttpCode(200),
    UseLane('files'),
    AcceptsFile({ json: true, example }),
    ApiOperation({
      operationId: `imports_${kind}`,
      summary,
      description: `${description} ${ALL_OR_NONE}`,
    }),
    ApiRecord(ImportAnswerDto),
    ApiErrors({ 400: NO_FILE, 403: text('access.denied') }),
  );

const ONE_AT_A_TIME =
  'The answer is written as it is read, one export per client at a time; if it cannot be completed, the connection breaks.';

export const ExportsFile = (kind: FileKind, { summary, description }: RouteDescription) =>
  applyDecorators(
    Get(`export/${kind}`),
    UseLane('none'),
    ApiOperation({
      operationId: `exports_${kind}`,
      summary,
      description: `${description} ${ONE_AT_A_TIME}`,
    }),
    ApiOkResponse({
      description: 'As JSON, or as a file',
      content: {
        [FILE_TYPES.json]: {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: { type: 'array', items: { type: 'object' } } },
          },
        },
        [FILE_TYPES.csv]: { schema: { type: 'string' } },
        [FILE_TYPES.xlsx]: { schema: { type: 'string', format: 'binary' } },
      },
    }),
  );
