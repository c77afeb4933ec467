import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { join } from 'node:path';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { answers } from '../support/fake-providers';
import { option, PREDICTION } from '../support/fake-providers/sample-answers';

const ROOT = join(__dirname, '../..');

/** What has files in a walk but no stops: see `docs/ARCHITECTURE.md`. */
const NO_STOPS = [
  /^ai\/http\/(?!ai\.controller)/, // the way back
  /^ai\/pipeline\/ai-call\.ts$/, // what is carried; the time
  /^ai\/pipeline\/answer\//, // made ready for what comes back
  /^ai\/pipeline\/audit\/ai-audit\.repository\.ts$/, // may still write the row of the call before
  /^platform\/runtime-config\/(?!runtime-configuration\.ts)/, // follows the configuration in the background
  /^ai\/capabilities\/embed-texts\//, // looks around in the background
  /^ai\/capabilities\/(?:ingredient-names\.ts|search-keywords\/phrase\/)/, // names of the catalogue, rules for phrases
  /^ai\/capabilities\/explore-formula\/explore-rules\.ts$/, // rules for options, made ready for what comes back
];

/** Read when a call begins and when the provider is asked; no asynchronous function, which counts oftener. */
const CONFIGURATION = 'platform/runtime-config/runtime-configuration.ts current';

/** The stops that the document names, `file function` each. */
function documented(): string[] {
  const text = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  return [...text.matchAll(/^\| \d+ +\| `(\S+)` +\| `(\w+)`/gm)].map(([, file, name]) => `${file} ${name}`);
}

const fileOf = (stop: string): string => stop.replace(/ .*/, '');

describe('the way of an AI call, from controller to socket', () => {
  let ai: AiApp;
  let session: Session;
  /**
   * How often each function, `file function`, ran or ran on between a request's coming and its arrival at the
   * provider.
   */
  let entered: Map<string, number>;

  beforeAll(async () => {
    ai = await bootAiApp('beta');
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  });
  afterAll(async () => {
    session.disconnect();
    await ai.close();
  });

  const take = (): Map<string, number> => {
    let scripts: Profiler.ScriptCoverage[] = [];
    session.post('Profiler.takePreciseCoverage', (_, { result }) => (scripts = result));
    const counts = new Map<string, number>();
    for (const { url, functions } of scripts) {
      const [, file] = /\/src\/((?:ai|platform\/runtime-config)\/.*)$/.exec(url) ?? [];
      for (const { functionName, ranges } of file === undefined ? [] : functions) {
        const stop = `${file} ${functionName}`;
        const count = (counts.get(stop) ?? 0) + ranges[0]!.count;
        if (functionName !== '' && count > 0) counts.set(stop, count);
      }
    }
    return counts;
  };

  const walk = async (answer: unknown, ask: (attempt: number) => PromiseLike<unknown>): Promise<void> => {
    // What is made once, schema and client, is made by the first.
    for (let attempt = 0; attempt < 2; attempt++) {
      ai.fake.reset((exchange) => {
        entered = take();
        return answers(answer)(exchange);
      });
      take();
      await ask(attempt);
    }
  };
  const files = (): string[] =>
    [...new Set([...entered.keys()].map(fileOf))]
      .filter((file) => !NO_STOPS.some((pattern) => pattern.test(file)))
      .sort();

  it('of an exploration is the documented one, of 18 stops', async () => {
    await walk({ options: [option('a')] }, (attempt) =>
      ai.user.post('/api/ai/explore-formula', { costLimit: 90 + attempt }).expect(200),
    );
    const stops = documented();
    expect(stops).toHaveLength(18);
    expect([...entered.keys()]).toEqual(expect.arrayContaining(stops));
    expect(entered.get(CONFIGURATION)).toBe(2);
    expect(files()).toEqual(stops.map(fileOf).sort());
  });

  it.each<[string, unknown, (attempt: number) => PromiseLike<unknown>]>([
    [
      'predict',
      PREDICTION,
      (attempt) => {
        const ingredients = [{ name: `x${attempt}`, percentage: 1, category: 'other' }];
        return ai.user.post('/api/ai/predict-formula', { ingredients }).expect(200);
      },
    ],
    [
      'extract',
      { ingredients: [] },
      (attempt) => ai.user.post('/api/ai/extract-formula', { text: `water ${attempt}` }).expect(200),
    ],
    ['find', { keywords: ['x'] }, (attempt) => ai.user.get(`/api/ai/search?q=x${attempt}`).expect(200)],
  ])('of %s takes the same way', async (handler, answer, ask) => {
    await walk(answer, ask);
    expect(entered.has(`ai/http/ai.controller.ts ${handler}`)).toBe(true);
    expect(entered.get(CONFIGURATION)).toBe(2);
    expect(files()).toHaveLength(17);
  });
});
