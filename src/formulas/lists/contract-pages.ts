import { ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/**
 * `{ data, pagination }` with records as the contract lists them. Their classes belong to the service, which puts
 * their schemas into the document.
 */
export const ApiContractPage = (schema: 'ListedFormulaDto' | 'IngredientDto') =>
  ApiOkResponse({
    description: 'OK',
    schema: {
      type: 'object',
      required: ['data', 'pagination'],
      properties: {
        data: { type: 'array', items: { $ref: getSchemaPath(schema) } },
        pagination: { $ref: getSchemaPath('PaginationDto') },
      },
    },
  });
