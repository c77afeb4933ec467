import { applyDecorators, Header, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { MEDIA_TYPES } from './document-format';

/** A page has its own style and loads nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/** The route answers `{ data: Model }`, a printable page, or a file. */
/** The headers of a route that answers with a page. */
export const PagePolicy = () => Header('Content-Security-Policy', PAGE_POLICY);

export const AnswersDocument = (model: Type<unknown>) =>
  applyDecorators(
    PagePolicy(),
    ApiExtraModels(model),
    ApiOkResponse({
      description: 'As JSON, as a page to print, or as a file',
      content: {
        [MEDIA_TYPES.json]: {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: { $ref: getSchemaPath(model) } },
          },
        },
        [MEDIA_TYPES.html]: { schema: { type: 'string' } },
        [MEDIA_TYPES.csv]: { schema: { type: 'string' } },
        [MEDIA_TYPES.xlsx]: { schema: { type: 'string', format: 'binary' } },
      },
    }),
  );
