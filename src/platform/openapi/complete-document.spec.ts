import type { OpenAPIObject } from '@nestjs/swagger';
import { completeDocument, PUBLIC_OPERATION } from './complete-document';

describe('completeDocument', () => {
  function operationOf(operation: object) {
    const paths = { '/api/ext/things/{id}': { get: { responses: {}, ...operation } } };
    return completeDocument({ openapi: '3.0.0', paths } as unknown as OpenAPIObject).paths[
      '/api/ext/things/{id}'
    ]!.get!;
  }

  it('says what an id in the path is, and of no other parameter', () => {
    const parameter = (name: string, where: string) => ({ name, in: where, schema: { type: 'string' } });
    const others = () => [parameter('slug', 'path'), parameter('id', 'query')];
    const { parameters } = operationOf({ parameters: [parameter('id', 'path'), ...others()] });
    expect(parameters).toEqual([
      {
        ...parameter('id', 'path'),
        schema: { type: 'string', format: 'uuid' },
        description: expect.stringContaining('404'),
      },
      ...others(),
    ]);
  });

  it('asks for a token but where the operation is public, and leaves no mark', () => {
    const open = operationOf({ [PUBLIC_OPERATION]: true });
    expect(open).not.toHaveProperty(PUBLIC_OPERATION);
    expect([open.security, Object.keys(open.responses)]).toEqual([[], ['429', '500', '503']]);
    const guarded = operationOf({});
    expect([guarded.security, Object.keys(guarded.responses)]).toEqual([
      [{ bearer: [] }],
      ['401', '429', '500', '503'],
    ]);
  });

  it('names the security schemes of extensions', () => {
    const paths = { '/api/ext/things': { get: { responses: {} } } };
    const document = { openapi: '3.0.0', paths } as unknown as OpenAPIObject;
    const { security } = completeDocument(document, ['bearer', 'api-key']).paths['/api/ext/things']!.get!;
    expect(security).toEqual([{ bearer: [] }, { 'api-key': [] }]);
  });

  it('adds the shared texts to an error of the operation, but not to one with a body of its own', () => {
    const error = (schema: string, text: string) => ({
      description: '',
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schema}` },
          examples: { 1: { summary: text, value: {} } },
        },
      },
    });
    const { responses } = operationOf({
      responses: { 500: error('ErrorDto', 'x'), 503: error('OtherDto', 'x') },
    });
    const texts = (status: number) =>
      Object.values((responses[status] as ReturnType<typeof error>).content['application/json'].examples).map(
        ({ summary }) => summary,
      );
    expect(texts(500)).toEqual(['x', '服务器内部错误', 'Internal Server Error']);
    expect(texts(503)).toEqual(['x']);
  });
});
