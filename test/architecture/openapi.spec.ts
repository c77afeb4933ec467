import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { apiDocumentText } from '../../src/platform/server/api-docs';
import { bootApp, type TestApp } from '../support/app';
import { SchemaValidator } from '../support/schema-validator';

const COMMITTED = join(__dirname, '..', '..', 'docs', 'openapi.json');

/** The fields of all request bodies, as `Schema.field`. */
function requestFields(document: OpenAPIObject): { field: string; schema: Record<string, unknown> }[] {
  const schemas = (document.components?.schemas ?? {}) as Record<string, any>;
  const pending = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation: any) => operation.requestBody?.content?.['application/json']?.schema),
  );
  const seen = new Set<string>();
  const fields = [];
  for (let schema = pending.pop(); schema ?? pending.length > 0; schema = pending.pop()) {
    if (!schema) continue;
    pending.push(schema.items, ...(schema.allOf ?? []));
    const name = schema.$ref?.split('/').at(-1);
    if (!name || seen.has(name)) continue;
    seen.add(name);
    for (const [field, property] of Object.entries<any>(schemas[name].properties ?? {})) {
      fields.push({ field: `${name}.${field}`, schema: property });
      pending.push(property);
    }
  }
  return fields;
}

/** Names of the classes that requests and responses are described with. */
const classNames = readdirSync(join(__dirname, '..', '..', 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.spec)\.ts$/.test(file))
  .flatMap((file) => {
    const source = readFileSync(join(__dirname, '..', '..', 'src', file), 'utf8');
    return [...source.matchAll(/^(?:export )?class (\w+Dto)\b/gm)].map(([, name]) => name!);
  });

describe('The OpenAPI document', () => {
  let app: TestApp;
  let text: string;
  let document: OpenAPIObject;

  it('describes no two classes under one name', () => {
    expect(classNames.length).toBeGreaterThan(50);
    expect(classNames.filter((name, at) => classNames.indexOf(name) !== at)).toEqual([]);
  });

  beforeAll(async () => {
    app = await bootApp();
    text = apiDocumentText(app.app);
    document = JSON.parse(text) as OpenAPIObject;
  });
  afterAll(() => app.close());

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );

  it('is committed as the code gives it (npm run openapi)', () => {
    expect(readFileSync(COMMITTED, 'utf8')).toBe(text);
  });

  it('is valid by a public validator', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // It does not see that the extensions of the streaming operations use their messages.
      rules: { 'no-unused-components': 'off' },
    });
    const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' });
    expect(
      problems.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId} ${message}`),
    ).toEqual([]);
  });

  it('says of every list in a request how long it may be', () => {
    const lists = requestFields(document).filter(({ schema }) => schema.type === 'array');
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.filter(({ schema }) => !(Number(schema.maxItems) <= 1000))).toEqual([]);
  });

  it('shows examples that match their schemas', () => {
    const validator = new SchemaValidator(document);
    const faults: string[] = [];
    const visit = (node: any, path: string) => {
      if (typeof node !== 'object' || node === null) return;
      if (node.schema && node.examples) {
        for (const { value } of Object.values<any>(node.examples)) {
          faults.push(...validator.faults(node.schema, value).map((fault) => `${path}: ${fault}`));
        }
      }
      if ('example' in node && (node.type || node.allOf || node.oneOf)) {
        faults.push(...validator.faults(node, node.example).map((fault) => `${path}: ${fault}`));
      }
      for (const [key, child] of Object.entries(node)) {
        if (!['example', 'examples'].includes(key)) visit(child, `${path}/${key}`);
      }
    };
    visit(document, '#');
    expect(faults).toEqual([]);
  });

  it('is served as JSON without a token, and as a page', async () => {
    const json = await app.http.get('/api/docs-json').expect(200);
    expect(json.body).toEqual(document);
    const page = await app.http.get('/api/docs').expect(200);
    expect(page.text).toContain('swagger-ui');
    // Scripts come from the service only; none is inline, and the page can talk to nobody else.
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc='?"?\.)/);
    const policy = page.headers['content-security-policy']!;
    expect(policy.split(';')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    for (const [, asset] of page.text.matchAll(/<script src="\.(\/docs\/[^"]+)"/g)) {
      await app.http.get(`/api${asset}`).expect(200);
    }
  });

  it('gives every operation a summary, a tag and a success', () => {
    const incomplete = operations().filter(
      ({ operation }) =>
        !operation.summary ||
        operation.tags?.length !== 1 ||
        !Object.keys(operation.responses).some((status) => status.startsWith('2')),
    );
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });

  it('tells the errors that every operation can have', () => {
    for (const { name, operation } of operations()) {
      const statuses = Object.keys(operation.responses);
      const expected = [
        '429',
        '500',
        '503',
        ...(operation.security.length > 0 ? ['401'] : []),
        ...(operation.requestBody ? ['400', '413', '415'] : []),
        ...(operation.parameters.some((parameter: any) => parameter.in === 'query') ? ['400'] : []),
        ...(operation.parameters.some((parameter: any) => parameter.in === 'path') ? ['404'] : []),
      ];
      expect({ name, missing: expected.filter((status) => !statuses.includes(status)) }).toEqual({
        name,
        missing: [],
      });
    }
  });

  it('has an example for every field of every request body', () => {
    const without = requestFields(document).filter(
      ({ schema }) => !('example' in schema) && !schema.$ref && !schema.allOf && !schema.items,
    );
    expect(without.map(({ field }) => field)).toEqual([]);
  });
});
