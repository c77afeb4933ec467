import { type Profiler, Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import repeatedParts from '../../test/formula-texts/repeated-parts.json';
import type * as Reader from './read-formula-text';

/** The reader's files: what they do is counted, by V8, in runs of their functions and blocks. */
const COUNTED = /\/formula-text\/[a-z-]+\.ts$/;

describe('The steps of reading a formula’s text', () => {
  let session: Session;
  let read: (text: string) => unknown;

  // A function that a compiler has put into its caller's code is no longer counted.
  const COMPILERS = Number.parseInt(process.versions.node) >= 24 ? ['opt', 'maglev'] : ['opt'];

  beforeAll(() => {
    for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`);
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    // Loaded only now: what has been compiled before is counted without its blocks.
    jest.isolateModules(() => {
      ({ readFormulaText: read } = jest.requireActual<typeof Reader>('./read-formula-text'));
    });
  });
  afterAll(() => {
    session.disconnect();
    for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`);
  });

  const take = (): number => {
    let scripts: Profiler.ScriptCoverage[] = [];
    session.post('Profiler.takePreciseCoverage', (_, { result }) => (scripts = result));
    return scripts
      .filter(({ url }) => COUNTED.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
      .reduce((sum, count) => sum + count, 0);
  };
  const stepsOf = (text: string): number => {
    take();
    read(text);
    return take();
  };

  it.each(repeatedParts)('grow with the text and no faster: %j', (part) => {
    const text = part.repeat(20_000 / part.length + 1);
    // A text of some hundred characters has a share of what is done once.
    expect(stepsOf(text.slice(0, 10_000))).toBeGreaterThan(0);
    const half = stepsOf(text.slice(0, 10_000));
    expect(stepsOf(text.slice(0, 20_000)) / half).toBeLessThanOrEqual(2.2);
  });
});
