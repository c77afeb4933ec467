import { type z } from 'zod';

/** A prompt: our instructions, and data of users, which the model must not take as instructions. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** A list in an answer whose elements can be sent one by one while the model is still writing. */
export interface AnswerParts<Input, Answer, Part> {
  readonly schema: z.ZodType<Part>;
  /** Returns true if a part satisfies the request. Other parts are dropped silently. */
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
 * A task for a model: the prompt, the schema of the answer, and the preset that can replace the
 * answer. To add one, write such an object and pass it to `AiService.call`.
 */
export interface Capability<Input, Answer, Part = unknown> {
  /** The name in the audit log; letters, digits and `-`. */
  readonly name: string;
  readonly schema: z.ZodType<Answer>;
  /** The property with the answer's list, if there is one. A model may then also send the bare array. */
  readonly listKey?: string;
  readonly parts?: AnswerParts<Input, Answer, Part>;
  /** Result if no provider gives a usable answer: the preset, or a failure if an invented answer would do harm. */
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
