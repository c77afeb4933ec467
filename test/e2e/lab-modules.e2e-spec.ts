import type { OpenAPIObject } from '@nestjs/swagger';
import { apiDocument } from '../../src';
import { parseEnvironment } from '../../src/platform/config/environment';
import { LAB_MODULE_NAMES } from '../../src/platform/config/lab-module-names';
import { expectError } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, wholeOf } from '../support/factories';

let service: TestApp;
let everything: OpenAPIObject;

beforeAll(async () => {
  service = await bootApp();
  everything = apiDocument(service.app);
});
afterAll(() => service.close());

/** Of the laboratory: /api/ext/live is not. */
const LAB_PATH =
  /^\/api\/ext\/(?:(?:formulas|ingredients|limits|color|export|import)(?:\/|$)|auth\/|(?:me|users|trash)$|trash\/)/;

/** The whole text of a document, and of everything that it refers to. */
function referencedFrom(paths: object, schemas: Record<string, unknown>): Set<string> {
  const found = new Set<string>();
  const follow = (text: string): void => {
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      follow(JSON.stringify(schemas[name!]));
    }
  };
  follow(JSON.stringify(paths));
  return found;
}

/** The document without these paths, and without what only they refer to. */
function without(document: OpenAPIObject, isLeftOut: (path: string) => boolean): OpenAPIObject {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !isLeftOut(path)));
  const leftOut = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isLeftOut(path)));
  const schemas = document.components!.schemas!;
  const kept = referencedFrom({ paths, responses: document.components!.responses }, schemas);
  const ofLeftOut = referencedFrom(leftOut, schemas);
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: Object.fromEntries(
        Object.entries(schemas).filter(([name]) => kept.has(name) || !ofLeftOut.has(name)),
      ),
    },
  };
}

const tagsOf = ({ paths }: OpenAPIObject) =>
  new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
    ),
  );

async function documentWith(LAB_MODULES: string): Promise<OpenAPIObject> {
  const other = await bootApp({ settings: { LAB_MODULES } });
  try {
    return apiDocument(other.app);
  } finally {
    await other.close();
  }
}

describe('LAB_MODULES', () => {
  it('leaves all modules out with off: the document is the rest, exactly', async () => {
    const rest = await documentWith('off');
    expect(Object.keys(everything.paths).filter((path) => LAB_PATH.test(path)).length).toBeGreaterThan(2);
    expect(rest).toEqual(without(everything, (path) => LAB_PATH.test(path)));
    expect(Object.keys(rest.paths)).toEqual(
      Object.keys(everything.paths).filter((path) => !LAB_PATH.test(path)),
    );
    expect(tagsOf(everything)).toContain('analysis');
    expect(tagsOf(rest)).not.toContain('analysis');
    expect(JSON.stringify(rest)).not.toContain('BatchSheetDto');
  });

  it('has the modules that it lists, and no others', async () => {
    const isAnalysis = (path: string) =>
      /^\/api\/ext\/formulas\/\{id\}\/(?:cost|batch|balance|declaration)$/.test(path);
    const analysis = await documentWith('analysis');
    expect(analysis).toEqual(without(everything, (path) => LAB_PATH.test(path) && !isAnalysis(path)));
    expect(JSON.stringify(analysis.paths)).not.toContain('/versions');
    expect(tagsOf(analysis)).toContain('analysis');
    expect(await documentWith('on')).toEqual(everything);
    expect(await documentWith(LAB_MODULE_NAMES.join(' , '))).toEqual(everything);
  });

  it('leaves routes out as routes that were never there', async () => {
    const other = await bootApp({ settings: { LAB_MODULES: 'off' } });
    try {
      const user = await other.register();
      const { id } = await createFormula(user, wholeOf((await createIngredient(user)).id));
      for (const route of ['cost', 'batch', 'balance', 'versions']) {
        expectError(await user.get(`/api/ext/formulas/${id}/${route}`), 404, '接口不存在');
      }
    } finally {
      await other.close();
    }
  });

  it.each(['analysis,screning', 'Analysis', 'analysis,', 'on,analysis', 'off,on', 'true'])(
    'is refused as %j, with the names that it can have',
    (LAB_MODULES) => {
      expect(() => parseEnvironment({ NODE_ENV: 'test', LAB_MODULES })).toThrow(
        `LAB_MODULES must be off, on or a list of ${LAB_MODULE_NAMES.join(', ')}`,
      );
    },
  );
});
