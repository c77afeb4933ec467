import { apiDocument } from '../../src';
import { DemoLaboratory } from '../../src/cli/demo/demo-laboratory';
import { NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { type Example, examplesOf } from '../support/document-examples';

let service: TestApp;
let account: Account;
let examples: Example[];

beforeAll(async () => {
  service = await bootApp();
  await new DemoLaboratory(service.app).load();
  account = await service.register();
  const document = apiDocument(service.app);
  const takesLanguage = ({ name }: Example) => {
    const [method, path] = name.split(' ') as [string, string];
    const { parameters } = (document.paths[path] as any)[method.toLowerCase()];
    return parameters.some((parameter: any) => parameter.name === 'lang');
  };
  examples = examplesOf(document).filter((example) => example.method === 'get' && takesLanguage(example));
}, 120_000);
afterAll(() => service.close());

/** Colours far from all of the demo, so that a note says so. */
const FAR = { L: 5, a: -90, b: -90 };

async function answers(format: 'json' | 'html', header: string | undefined, lang?: string) {
  const found: Record<string, string> = {};
  for (const { name, path, query } of examples) {
    const asked = { ...query, ...('L' in query && FAR), ...('format' in query && { format }) };
    const request = account.get(path).query({ ...asked, ...(lang !== undefined && { lang }) });
    if (header !== undefined) request.set('X-Language', header);
    const { text } = await request.expect(200);
    found[name] = text;
  }
  return found;
}

describe('The language of documents, and of notes in answers', () => {
  it.each(['json', 'html'] as const)('is that of X-Language without lang: %s', async (format) => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    const [chinese, english] = [
      await answers(format, undefined, 'zh'),
      await answers(format, undefined, 'en'),
    ];
    for (const header of ['en', 'EN-us']) {
      expect(await answers(format, header)).toEqual(english);
      expect(await answers(format, header, '')).toEqual(english);
      expect(await answers(format, header, 'zh')).toEqual(chinese);
    }
    for (const header of [undefined, 'zh', 'de', 'eng'])
      expect(await answers(format, header)).toEqual(chinese);
    const differing = Object.keys(english).filter((name) => english[name] !== chinese[name]);
    if (format === 'html') expect(differing).toEqual(Object.keys(english));
    else expect(differing).toEqual(expect.arrayContaining(['GET /api/ext/color/match']));
  });

  it('is that of lang in errors too, whatever X-Language says', async () => {
    const path = `/api/ext/formulas/${NOWHERE}/cost`;
    const message = async (query: string, header: string) =>
      (await account.get(`${path}${query}`).set('X-Language', header).expect(404)).body.error as string;
    const [chinese, english] = [await message('', 'zh'), await message('', 'en')];
    expect(chinese).not.toBe(english);
    expect(await message('?lang=en', 'zh')).toBe(english);
    expect(await message('?batch=1&lang=zh', 'en')).toBe(chinese);
    expect(await message('?lang=', 'en')).toBe(english);
    const contract = await account.get(`/api/formulas/${NOWHERE}?lang=en`).expect(404);
    expect(contract.body.error).toBe(chinese);
  });
});
