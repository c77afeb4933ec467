import { setImmediate } from 'node:timers/promises';
import { readFormulaText } from '../../../formula-text/read-formula-text';
import { extractFormula, ExtractionFailedError, readAhead, readingOf } from './extract-formula';
import { UnavailableError } from '../../../platform/common/errors/service-error';
import { AiFailure } from '../../../platform/common/errors/ai-failure';

const LINE = { inciName: 'Aqua', chineseName: '水', phase: 'A', processNotes: '' };
const read = (line: object) => extractFormula.schema.safeParse({ ingredients: [{ ...LINE, ...line }] });

describe('a line that a model extracted', () => {
  it('may leave out what the text does not say: its percentage is null then', () => {
    expect(read({}).data).toEqual({ ingredients: [{ ...LINE, percentage: null }] });
  });

  it.each([
    { percentage: null, amount: null, unit: null, balance: null },
    { percentage: 0, balance: true },
    { percentage: 100, amount: 12.5, unit: 'g' },
    { percentage: null, amount: 'q.s. to 100', unit: '%', balance: false },
  ])('is taken as it is: %j', (line) => {
    expect(read(line).data).toEqual({ ingredients: [{ ...LINE, ...line }] });
  });

  it.each([
    { percentage: -0.1 },
    { percentage: 100.1 },
    { percentage: '5' },
    { inciName: undefined },
    { chineseName: null },
    { phase: undefined },
    { processNotes: undefined },
    { amount: true },
    { balance: 'yes' },
  ])('is refused with %j', (line) => {
    expect(read(line).success).toBe(false);
  });
});

describe('reading ahead', () => {
  const text = Array.from({ length: 2000 }, (_, n) => `Unknown ${n.toString(36)} 1`).join('\n');

  it('lets other requests work between the lines of a long text, and reads it as without them', async () => {
    const input = { text };
    let [turns, isRead] = [0, false];
    const reading = readAhead(input).then(() => (isRead = true));
    for (; !isRead; turns++) await setImmediate();
    await reading;
    expect(turns).toBeGreaterThan(2);
    const found = readingOf(input);
    expect(found).toEqual(readFormulaText(text));
    expect(readingOf(input)).toBe(found);
  });
});

describe('an extraction', () => {
  it('may have no line, and fails rather than be invented', () => {
    expect(extractFormula.schema.safeParse({ ingredients: [] }).success).toBe(true);
    expect(extractFormula.whenFailed).toBe('failure');
  });
});

describe('ExtractionFailedError', () => {
  it('stands for a failed AI call only: a database that is away keeps its own status', () => {
    const failure = new AiFailure('server', 'alpha', { retryable: true });
    expect(ExtractionFailedError.from(failure)).toMatchObject({
      status: 500,
      message: 'AI 提取失败,请重试',
    });
    const away = new UnavailableError('away');
    expect(ExtractionFailedError.from(away)).toBe(away);
  });
});
