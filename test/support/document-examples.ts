import type { OpenAPIObject } from '@nestjs/swagger';

/** A request that the OpenAPI document shows. */
export interface Example {
  /** `POST /api/formulas`, as the document names the operation. */
  name: string;
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  query: Record<string, unknown>;
  /** A text is a CSV file. */
  body?: object | string;
}

/** The examples of all operations: one for each kind of body, or one without a body. */
export function examplesOf(document: OpenAPIObject): Example[] {
  const schemas = document.components!.schemas as Record<string, any>;
  const exampleOf = (schema: any): unknown => {
    if (schema.example !== undefined) return schema.example;
    if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1)]);
    if (schema.allOf) return exampleOf(schema.allOf[0]);
    if (schema.type === 'array') return [exampleOf(schema.items)];
    if (schema.enum) return schema.default ?? schema.enum[0];
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    return schema.default;
  };
  const bodiesOf = (content: Record<string, any> = {}) => {
    const { 'application/json': json, 'text/csv': csv } = content;
    const isFile = json?.schema.format === 'binary';
    return [json && !isFile && (json.example ?? exampleOf(json.schema)), csv?.example].filter(Boolean);
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).flatMap(([method, { parameters, requestBody }]) => {
      const shown = parameters
        .map(({ name, in: place, example, schema }: any) => ({
          name,
          place,
          value: example ?? schema.example ?? schema.default,
        }))
        .filter(({ value }: any) => value !== undefined);
      const inPath = shown.filter(({ place }: any) => place === 'path');
      const inQuery = shown.filter(({ place }: any) => place === 'query');
      const example = {
        name: `${method.toUpperCase()} ${path}`,
        method: method as Example['method'],
        path: inPath.reduce((text: string, { name, value }: any) => text.replace(`{${name}}`, value), path),
        query: Object.fromEntries(inQuery.map(({ name, value }: any) => [name, value])),
      };
      const bodies = bodiesOf(requestBody?.content);
      return bodies.length === 0 ? [example] : bodies.map((body) => ({ ...example, body }));
    }),
  );
}
