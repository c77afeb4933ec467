import { ApiCreatedResponse, ApiHeader, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/*
 * Answers with the contract's own records. Their classes belong to the service, which puts their schemas into the
 * document.
 */

const dataOf = (schema: string) => ({
  type: 'object' as const,
  required: ['data'],
  properties: { data: { $ref: getSchemaPath(schema) } },
});

/** `{ data }` with a version as the contract shows it. */
export const ApiContractVersion = () =>
  ApiOkResponse({ description: 'OK', schema: dataOf('FormulaVersionDto') });

/** 201 and `{ data }` with a formula as the contract shows it, with its `ETag`. */
export const ApiCreatedFormula = () =>
  ApiCreatedResponse({
    description: 'Created',
    headers: {
      ETag: {
        description: 'Names this state of the formula, for If-Match',
        schema: { type: 'string', example: '"r5-1Xw9mY3kqkBqkq2C0Ug"' },
      },
    },
    schema: dataOf('FormulaDto'),
  });

/** The route takes `If-Match` with an `ETag` of the formula. */
export const ApiFormulaIfMatch = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'ETags of the states of the formula that may be changed: where it is in another by now, nothing is written, ' +
      'and the answer is 412 with its ETag',
    schema: { type: 'string' },
  });
