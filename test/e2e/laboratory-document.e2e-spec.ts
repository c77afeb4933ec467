import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoLaboratory } from '../../src/cli/demo/demo-laboratory';
import { type Account, bootApp, type TestApp } from '../support/app';

/*
 * docs/laboratory.md: each of its commands is sent as a request, in the order in which they stand.
 */

const DOCUMENT = readFileSync(join(__dirname, '..', '..', 'docs', 'laboratory.md'), 'utf8');

const TOUR = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');

/** `NAME=$(curl … | value PATH)`, or a `curl` whose answer is shown or stored. */
const COMMAND = /^(?:([A-Z]+)=\$\()?curl -s (.*?)(?: \| value (\S+)\))?$/;

interface Request {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  body: string | Buffer | undefined;
  /** Of the body. */
  type: string;
  /** The name under which the answer is stored. */
  output: string | undefined;
}

const commands = [...DOCUMENT.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  block!.trimEnd().split('\n'),
);

/** Arguments as a shell splits them: by blanks outside of quotes. Double quotes may hold escaped ones. */
const argumentsOf = (text: string): string[] =>
  [...text.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double?.replaceAll(/\\(.)/g, '$1') ?? plain!,
  );

function requestOf(
  text: string,
  variables: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, Buffer>,
): Request {
  const given = argumentsOf(text);
  const optionOf = (name: string) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined);
  const filled = (argument: string) =>
    argument.replaceAll(/\$([A-Z]+)/g, (written, name: string) => variables.get(name) ?? written);
  const file = optionOf('--data-binary');
  const sent = optionOf('-d');
  const body = file === undefined ? sent && filled(sent) : files.get(file.slice(1))!;
  const type = file === undefined ? 'application/json' : 'text/csv';
  const method = (optionOf('-X') ?? (body === undefined ? 'get' : 'post')).toLowerCase() as Request['method'];
  const path = filled(given.at(-1)!.replace('$API', '/api'));
  return { method, path, body, type, output: optionOf('-o') };
}

/** As `value .versions[0].id` of the README reads an answer. */
const valueOf = (data: unknown, path: string): unknown =>
  (path.match(/\w+/g) ?? []).reduce((value, key) => (value as Record<string, unknown>)[key], data);

describe('The day in the laboratory', () => {
  let service: TestApp;
  let account: Account;
  const variables = new Map<string, string>();
  const files = new Map<string, Buffer>();
  const costs: { costPerKg: number | null }[] = [];

  beforeAll(async () => {
    service = await bootApp();
    account = await service.register();
    // A reader has taken the tour first: the demo keeps its ingredients.
    for (const [, sent] of TOUR.matchAll(/\$\(ingredient '(.+)'\)/g)) {
      await account.post('/api/ingredients', JSON.parse(sent!) as object).expect(201);
    }
    await new DemoLaboratory(service.app).load();
  });
  afterAll(() => service.close());

  const shown = [...DOCUMENT.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
    ([, json]) => JSON.parse(json!) as object,
  );

  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) expect(command).toMatch(COMMAND);
  });

  it.each(commands)('%s', async (command) => {
    const [, name, text, path] = COMMAND.exec(command)!;
    const { method, path: address, body, type, output } = requestOf(text!, variables, files);
    const request = account[method](encodeURI(decodeURI(address)));
    if (output) request.responseType('blob');
    const response = await (body === undefined ? request : request.type(type).send(body));
    expect({ status: response.status, body: response.status < 300 ? '' : response.text }).toEqual({
      status: expect.closeTo(200, -1) as number,
      body: '',
    });
    if (!output) expect(response.body.data).not.toEqual([]);
    if (text!.includes('/cost')) costs.push(response.body.data);
    if (output) files.set(output, response.body as Buffer);
    if (name) variables.set(name, String(valueOf(response.body.data, path!)));
  });

  it('shows the cost of a formula, and that an ingredient of another one has no price', () => {
    expect(costs.map(({ costPerKg }) => costPerKg)).toEqual([expect.any(Number), null]);
  });

  it('shows an entry of a comparison as it is', async () => {
    const expected = shown[0] as { ingredient: object };
    const { body } = await account.get(`/api/ext/formulas/${variables.get('SERUM')}/compare?from=1&to=5`);
    expect(body.data.lines).toContainEqual({
      ...expected,
      ingredient: { ...expected.ingredient, id: expect.any(String) as string },
    });
  });

  it('shows a label that takes its rules from the profile', async () => {
    const { body } = await account.get(`/api/ext/formulas/${variables.get('CREAM')}/declaration`);
    expect(body.data).toMatchObject(shown[1]!);
  });

  it('shows the cost of a pack, and the packs of a batch', async () => {
    const path = `/api/ext/formulas/${variables.get('CREAM')}`;
    expect(costs[0]).toMatchObject(shown[2]!);
    const { volume, pack } = (await account.get(`${path}/batch?mass=25`)).body.data;
    expect(DOCUMENT).toContain(
      `fills ${pack.count} such packs, and ${pack.rest} kg remain; its volume is ${volume} L`,
    );
  });

  it('shows a result of a screening as it is', async () => {
    const { body } = await account.get(
      `/api/ext/formulas/${variables.get('SERUM')}/screening?region=demo&productType=face-leave-on&on=2026-12-01&lang=en`,
    );
    expect(body.data.results[0]).toMatchObject(shown[3]!);
    expect(DOCUMENT).toContain(`\`${body.data.results[0].wording}\``);
    expect(body.data.summary.counts['above-limit']).toBe(1);
  });

  it('shows the formulas of a substance as they are', async () => {
    const { body } = await account.get('/api/ext/substances/phenoxyethanol/formulas?minShare=0.5');
    const copy = (body.data as { name: string }[]).find(({ name }) => name === '我的面霜');
    expect(copy).toMatchObject(shown[4]!);
  });
});
