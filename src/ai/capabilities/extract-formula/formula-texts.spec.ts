import { readFileSync } from 'node:fs';
import { completePercentages } from './complete-percentages';
import { readFormulaText } from './read-formula-text';

/** A way in which somebody wrote a formula, and what a careful chemist reads out of it. */
interface FormulaText {
  id: string;
  text: string;
  lines: { inciName: string; chineseName: string; percentage: number; phase: string }[];
  unread: number[];
}

/** Written without knowing the reader; each of the last three when it could read those before it. */
const COLLECTIONS = ['chinese', 'international', 'mixed', 'people', 'examiner'];
const AT_LEAST = 0.97;

/** What is not read as it is meant, and why. */
const KNOWN: Record<string, string> = {
  'three-068': 'a table whose columns are ingredients',
};

const collection = (name: string) =>
  JSON.parse(readFileSync(`test/formula-texts/${name}.json`, 'utf8')) as FormulaText[];

/** Width and spaces aside. */
const plain = (text: string) => text.normalize('NFKC').replace(/\s+/gu, ' ').trim();

function read(text: string) {
  const { lines, unread } = readFormulaText(text);
  const brief = ({ inciName, chineseName, percentage, phase }: FormulaText['lines'][number]) => [
    plain(inciName),
    plain(chineseName),
    percentage,
    plain(phase),
  ];
  return { lines: completePercentages(lines).map(brief), unread };
}

const expected = ({ lines, unread }: FormulaText) => ({
  lines: lines.map(({ inciName, chineseName, percentage, phase }) => [
    plain(inciName),
    plain(chineseName),
    percentage,
    plain(phase),
  ]),
  unread,
});

describe.each(COLLECTIONS)('readFormulaText reads formulas as people write them: %s', (name) => {
  const texts = collection(name);
  const isExact = (text: FormulaText) => JSON.stringify(read(text.text)) === JSON.stringify(expected(text));

  it.each(texts.filter(({ id }) => !(id in KNOWN)).map((text) => [text.id, text] as const))(
    '%s',
    (_, text) => {
      expect(read(text.text)).toEqual(expected(text));
    },
  );

  it('all but a few of them', () => {
    expect(texts.length).toBeGreaterThanOrEqual(100);
    expect(texts.filter(isExact).length / texts.length).toBeGreaterThanOrEqual(AT_LEAST);
  });

  it('but no longer what is known not to be', () => {
    expect(texts.filter((text) => text.id in KNOWN && isExact(text))).toEqual([]);
  });
});
