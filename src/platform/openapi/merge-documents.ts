import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const;
const SCHEMAS = '#/components/schemas/';

/**
 * Adds the operations of a separately documented module to a document. If the two use one name for different
 * classes or operations, those of the module get its name as a prefix.
 * @param name name of the module, used as a prefix and as the tag of operations without one
 */
export function mergeModule(document: OpenAPIObject, module: OpenAPIObject, name: string): void {
  const schemas = (document.components ??= {}).schemas ?? {};
  const own = module.components?.schemas ?? {};
  const newNames = new Map(
    [...differing(schemas, own)].map((schema) => [schema, freeName(`${name}_${schema}`, schemas, own)]),
  );
  const { paths, components } = renamed(module, newNames);
  for (const [schema, definition] of Object.entries(components?.schemas ?? {})) {
    schemas[newNames.get(schema) ?? schema] ??= definition;
  }
  document.components.schemas = schemas;

  const operations = new Set(operationsOf(document.paths).map(({ operationId }) => operationId));
  for (const operation of operationsOf(paths)) {
    operation.tags ??= [name];
    if (operations.has(operation.operationId)) operation.operationId = `${name}_${operation.operationId}`;
  }
  for (const [path, item] of Object.entries(paths)) {
    document.paths[path] = { ...item, ...document.paths[path] };
  }
}

export const operationsOf = (paths: OpenAPIObject['paths']) =>
  Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Returns the names of schemas that occur in both and differ, in themselves or in the schemas that they refer to. */
function differing(one: Schemas, other: Schemas): Set<string> {
  const shared = Object.keys(other).filter((name) => name in one);
  const found = new Set(shared.filter((name) => !isDeepStrictEqual(plain(one[name]), plain(other[name]))));
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const name of shared) if (refersToAny(other[name], found)) found.add(name);
  }
  return found;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function refersToAny(schema: unknown, names: ReadonlySet<string>): boolean {
  let found = false;
  JSON.stringify(schema, (_, value: unknown) => {
    found ||=
      typeof value === 'string' && value.startsWith(SCHEMAS) && names.has(value.slice(SCHEMAS.length));
    return value;
  });
  return found;
}

/** Returns the document with its references changed to the new names. */
function renamed(document: OpenAPIObject, newNames: ReadonlyMap<string, string>): OpenAPIObject {
  const text = JSON.stringify(document, (_, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(SCHEMAS)) return value;
    const name = value.slice(SCHEMAS.length);
    return SCHEMAS + (newNames.get(name) ?? name);
  });
  return JSON.parse(text) as OpenAPIObject;
}

function freeName(wanted: string, ...taken: Schemas[]): string {
  return taken.some((schemas) => wanted in schemas) ? freeName(`${wanted}_`, ...taken) : wanted;
}
