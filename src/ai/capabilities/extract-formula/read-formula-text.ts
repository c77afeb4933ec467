import { type RawLine } from './extracted-line';

// Chinese text has wide punctuation; it means what the narrow one does.
const PHASE =
  /^\s*(?:phase\s*([a-z0-9]+)|([a-z0-9]+)\s*(?:相|phase)|((?:水|油|乳化|后添加|添加|粉|香精)相))\s*[:\uff1a]?\s*(.*)$/iu;
const LINE =
  /^\s*[-*•·\d.、)]*\s*(.+?)[\s:\uff1a,\uff0c(\uff08]+(q\.?\s*s\.?(?:\s*(?:to|ad)\s*100\s*%?)?|适量|余量|(?:加至|补足至|补至|to|ad)\s*100\s*[%g克]?|\d+(?:\.\d+)?\s*(?:[-–~\uff5e]\s*\d+(?:\.\d+)?)?\s*(?:[%\uff05]|g|kg|mg|克|千克|毫克|份)?)\s*[)\uff09]?\s*$/iu;
/** No line of a formula is longer; what is, is prose, and not worth a slow pattern. */
const LONGEST_LINE = 300;
const HAN = /\p{Script=Han}/u;

/**
 * A plain reading of a formula's text without any model: lines of a name and an amount, under headings of
 * phases. It is what mock mode answers with, so that the answer fits the text; it understands nothing else.
 */
export function readFormulaText(text: string): RawLine[] {
  const lines: RawLine[] = [];
  let phase = '';
  for (const raw of text.split(/[\n;\uff1b。]|[,\uff0c](?=\s*\D)/u)) {
    const piece = raw.trim().replace(/\s+/gu, ' ');
    if (piece === '' || piece.length > LONGEST_LINE) continue;
    const heading = PHASE.exec(piece);
    let rest = piece;
    if (heading) {
      phase = (heading[1] ?? heading[2] ?? heading[3] ?? '').trim();
      rest = heading[4] ?? '';
    }
    const line = readLine(rest, phase);
    if (line) lines.push(line);
  }
  return lines;
}

function readLine(text: string, phase: string): RawLine | undefined {
  const match = LINE.exec(text);
  const name = match?.[1]?.trim();
  const amount = match?.[2]?.trim();
  if (!name || !amount) return undefined;
  const isChinese = HAN.test(name);
  return {
    inciName: isChinese ? '' : name,
    chineseName: isChinese ? name : '',
    percentage: null,
    phase,
    processNotes: '',
    amount,
  };
}
