import { applyDecorators, Header, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { MEDIA_TYPES } from './document-format';

/** A page has its own style and loads nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/** The headers of a route that answers with a page. */
export const PagePolicy = () => Header('Content-Security-Policy', PAGE_POLICY);

/** A document's CSV file, whose first table programs read and which loses nothing of the page. */
const SECTIONED_CSV =
  'The main table from the first line to the first empty line; then the other tables, each under its title, and ' +
  'the facts and notes of the page';

/**
 * The route answers `{ data: Model }`, a printable page, or a file.
 * @param csv what the CSV file holds
 */
export const AnswersDocument = (model: Type<unknown>, csv = SECTIONED_CSV) =>
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
        [MEDIA_TYPES.csv]: { schema: { type: 'string', description: csv } },
        [MEDIA_TYPES.xlsx]: { schema: { type: 'string', format: 'binary' } },
      },
    }),
  );
