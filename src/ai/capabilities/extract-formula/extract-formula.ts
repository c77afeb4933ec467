import { z } from 'zod';
import example from './example.json';
import type { RawLine } from '../../../formula-text/complete-percentages';
import { formulaReading, type ReadFormula, readFormulaText } from '../../../formula-text/read-formula-text';
import { type Capability, COMMON_RULES, dataBlock } from '../../pipeline/capability';
import { nextTurn, turns } from '../../../platform/common/in-turns';
import { ServiceError } from '../../../platform/common/errors/service-error';
import { text } from '../../../platform/texts/text';
import { AiFailure } from '../../../platform/common/errors/ai-failure';

export interface ExtractInput {
  readonly text: string;
}

const lineSchema = z.object({
  inciName: z.string().describe('INCI name; empty when the text gives none and it is not certain'),
  chineseName: z.string().describe('Chinese name; empty when the text gives none and it is not certain'),
  percentage: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .default(null)
    .describe('% w/w; null when the text gives no percentage'),
  phase: z.string().describe('phase as the text names it; empty when it names none'),
  processNotes: z.string().describe('processing remarks of this line; empty when there are none'),
  amount: z
    .union([z.number(), z.string()])
    .nullish()
    .describe('the amount as written, when it is not a plain percentage'),
  unit: z.string().nullish().describe('unit of amount: "%", "g", "kg", "mg"'),
  balance: z.boolean().nullish().describe('true when the line is filled up to the total'),
});

const extractionSchema = z.object({ ingredients: z.array(lineSchema) });

export type Extraction = z.infer<typeof extractionSchema>;

const SYSTEM = `You read a formula out of a laboratory's text (a note, a supplier's guide sheet, a pasted table, an e-mail) and write it down line
by line. You never invent: a formula that is not in the text does not exist.

The data holds "text". For every ingredient line in it, in the order of the text:
- inciName: its INCI name. A trade name with one well-known INCI composition gets that INCI name, and the trade name goes to
  processNotes ("trade name: Carbopol 940"). When the text has only a Chinese name, give the INCI name if it is certain, else "".
- chineseName: the Chinese name in the text, else the usual one if it is certain, else "".
- percentage: % w/w as a number, only when the text states a percentage for the line; else null. Do not compute: no remainders, no
  middle of ranges, no grams to percent. That is done afterwards.
- amount and unit: when the amount is anything but a plain percentage, as written: amount "1-3" with unit "%", amount 12.5 with unit
  "g", amount "q.s.", "适量".
- balance: true when the line is filled up to the total: "q.s. to 100", "to 100", "ad 100", "加至100", "补足至100", "余量", "balance". Plain
  "q.s." or "适量" (a pH adjuster, a fragrance) is no balance.
- phase: the phase it stands in, as the text names it ("A", "水相", "Phase B"), else "".
- processNotes: remarks that belong to this line (temperature, premix, order, function), else "". Remarks on the whole process belong to
  the first line of the phase they are about.
Do not merge lines of different phases; an ingredient named twice is two lines. Headings, totals, procedures and marketing text are no
lines. When the text holds no formula, answer with an empty list. When unsure about a name, copy it as written.

${COMMON_RULES}`;

/** Note that marks an extracted line as part of the preset example, not of the text. */
export const EXAMPLE_NOTE = '预设示例数据';

const EXAMPLE = example.map((line): RawLine => ({ ...line, processNotes: EXAMPLE_NOTE }));

const readings = new WeakMap<ExtractInput, ReadFormula>();

/** Reads the text before the AI call, and gives other requests their turn meanwhile. `readingOf` returns the result. */
export async function readAhead(input: ExtractInput): Promise<void> {
  await nextTurn();
  const turn = turns();
  const reading = formulaReading(input.text);
  let step = reading.next();
  while (!step.done) {
    await turn();
    step = reading.next();
  }
  readings.set(input, step.value);
}

/** Returns the plain reading of a text, cached per input: the preset answer and the unread lines both use it. */
export function readingOf(input: ExtractInput): ReadFormula {
  const reading = readings.get(input) ?? readFormulaText(input.text);
  readings.set(input, reading);
  return reading;
}

export const extractFormula: Capability<ExtractInput, Extraction> = {
  name: 'extract-formula',
  schema: extractionSchema,
  listKey: 'ingredients',
  // A preset formula could be saved as a real one.
  whenFailed: 'failure',
  maxTokens: 16_000,
  prompt: (input) => ({ system: SYSTEM, user: dataBlock({ text: input.text }) }),
  preset: (input) => {
    const { lines, unread } = readingOf(input);
    const isFormula = lines.length > 0 || unread.length > 0;
    return { ingredients: isFormula ? lines : EXAMPLE };
  },
};

export const EXTRACTION_FAILED = text('ai.extraction-failed');

/** 500: no provider gave a usable extraction. A preset could be saved as a real formula. */
export class ExtractionFailedError extends ServiceError {
  override readonly name = 'ExtractionFailedError';
  readonly status = 500;

  constructor() {
    super(EXTRACTION_FAILED);
  }

  /** Converts an AI failure. Returns other errors, such as a database failure, unchanged. */
  static from(error: unknown): unknown {
    return error instanceof AiFailure ? new ExtractionFailedError() : error;
  }
}
