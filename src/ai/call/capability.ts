import { type z } from 'zod';

/** A prompt: our instructions, and data of users, which the model must not take as instructions. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** A list inside an answer whose elements can be handed on one by one while the model is still writing. */
export interface AnswerParts<Input, Answer, Part> {
  readonly schema: z.ZodType<Part>;
  /** Whether a part keeps to what the request demands; others are dropped without a word. */
  readonly accepts: (this: void, part: Part, input: Input) => boolean;
  readonly list: (this: void, answer: Answer) => Part[];
  readonly assemble: (this: void, parts: Part[]) => Answer;
}

/** Marks a capability that returns vectors (embeddings) instead of text. */
export interface EmbeddedTexts<Input = unknown> {
  /** Numbers in each vector. */
  readonly size: number;
  readonly texts: (this: void, input: Input) => readonly string[];
}

/**
 * One thing the service asks of a model: prompt, schema of the answer, and the preset that stands in for it.
 * To add one, write such an object and hand it to `AiService.call`.
 */
export interface Capability<Input, Answer, Part = unknown> {
  /** In the audit log; letters, digits and `-`. */
  readonly name: string;
  readonly schema: z.ZodType<Answer>;
  /**
   * The property that holds the answer's list, if any: a model that sends the bare array is understood as
   * well.
   */
  readonly listKey?: string;
  readonly parts?: AnswerParts<Input, Answer, Part>;
  /**
   * When no provider gave a usable answer: the preset, or a failed call where an invented answer would do
   * harm.
   */
  readonly whenFailed: 'preset' | 'failure';
  /** Upper bound of the answer's length in tokens. */
  readonly maxTokens: number;
  readonly embedding?: EmbeddedTexts<Input>;
  readonly prompt: (this: void, input: Input) => Prompt;
  readonly preset: (this: void, input: Input) => Answer;
  /**
   * A value beside the prompt that decides which parts are accepted and what the preset contains, for example
   * the rows that the user may read. Calls with different values never share an answer.
   */
  readonly alsoDependsOn?: (this: void, input: Input) => string;
}
