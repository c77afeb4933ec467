import type { OpenAPIObject } from '@nestjs/swagger';
import { mergeModule } from './merge-documents';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const number = { type: 'number' };

const documentOf = (paths: object, schemas?: object) =>
  ({ openapi: '3.0.3', paths, ...(schemas ? { components: { schemas } } : {}) }) as unknown as OpenAPIObject;

const answering = (operationId: string, schema: object, more: object = {}) => ({
  operationId,
  responses: { 200: { content: { 'application/json': { schema } } } },
  ...more,
});

function merged(document: OpenAPIObject, module: OpenAPIObject, name = 'stability') {
  const given = JSON.stringify(module);
  mergeModule(document, module, name);
  expect(JSON.stringify(module)).toBe(given);
  return document as unknown as { paths: any; components: { schemas: any } };
}

describe('A module in the document', () => {
  it('has its operations, tagged by its name where they say nothing, and its schemas', () => {
    const document = merged(
      documentOf({ '/a': { get: answering('a_get', ref('A')) } }, { A: text }),
      documentOf(
        { '/b': { get: answering('b_get', ref('B')), post: answering('b_post', {}, { tags: ['own'] }) } },
        { B: number },
      ),
    );
    expect(Object.keys(document.paths)).toEqual(['/a', '/b']);
    expect([document.paths['/b'].get.tags, document.paths['/b'].post.tags]).toEqual([['stability'], ['own']]);
    expect(document.paths['/a'].get).not.toHaveProperty('tags');
    expect(document.components.schemas).toEqual({ A: text, B: number });
  });

  it('shares a schema that is the same, in whatever order it is written', () => {
    const A = { type: 'object', properties: { x: text } };
    const document = merged(
      documentOf({}, { A }),
      documentOf(
        { '/b': { get: answering('b', ref('A')) } },
        { A: { properties: { x: text }, type: 'object' } },
      ),
    );
    expect(document.components.schemas).toEqual({ A });
    expect(JSON.stringify(document.paths)).toContain(ref('A').$ref);
  });

  it('has schemas of its own where ours of the same name mean something else, and what refers to them', () => {
    const Holder = { type: 'object', properties: { item: ref('Item') } };
    const Outer = { type: 'object', properties: { holder: ref('Holder') } };
    const document = merged(
      documentOf({ '/a': { get: answering('a', ref('Outer')) } }, { Item: text, Holder, Outer, Other: text }),
      documentOf(
        { '/b': { get: answering('b', ref('Outer')) } },
        { Outer, Holder, Item: number, Other: text, stability_Item: text },
      ),
    );
    const { schemas } = document.components;
    expect(schemas.Item).toEqual(text);
    expect(schemas.stability_Item).toEqual(text);
    expect(schemas.stability_Item_).toEqual(number);
    expect(schemas.stability_Holder.properties.item).toEqual(ref('stability_Item_'));
    expect(schemas.stability_Outer.properties.holder).toEqual(ref('stability_Holder'));
    expect(schemas).not.toHaveProperty('stability_Other');
    expect(JSON.stringify(document.paths['/a'])).toContain(ref('Outer').$ref);
    expect(JSON.stringify(document.paths['/b'])).toContain(ref('stability_Outer').$ref);
  });

  it('has ids of its own for its operations, and takes none of ours', () => {
    const document = merged(
      documentOf({ '/a': { get: answering('things_list', text) } }),
      documentOf({
        '/a': { get: answering('other', number), post: answering('post', {}) },
        '/b': { get: answering('things_list', {}) },
      }),
    );
    expect(document.paths['/b'].get.operationId).toBe('stability_things_list');
    expect(document.paths['/a'].get).toEqual(answering('things_list', text));
    expect(document.paths['/a'].post.operationId).toBe('post');
  });
});
