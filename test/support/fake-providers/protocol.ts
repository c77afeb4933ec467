/** What a client asked, as far as the fakes look at it. */
export interface AskedBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [field: string]: unknown;
}

/**
 * How one provider's answers look on the wire: `protocol` in `<name>.fake.ts`.
 */
export interface WireProtocol {
  /** What its base URL ends in. */
  readonly basePath: string;
  readonly path: string;
  /** The ways of structured output that it knows, in the order in which they are tried. */
  readonly formats: readonly string[];
  /** The body of an answer that is not streamed. */
  completion(asked: AskedBody, text: string, tokens: number): unknown;
  /** The events before, for each piece of, and after a streamed answer. */
  streamStart(asked: AskedBody, tokens: number): string[];
  streamPiece(asked: AskedBody, piece: string): string;
  streamEnd(asked: AskedBody, tokens: number): string[];
  error(status: number, message: string): unknown;
  /** An error event inside a stream. */
  streamError(message: string): string;
  /** Names a way of structured output that the request asks for. */
  formatOf(asked: AskedBody): string;
  /** Where it makes embeddings, if it does, and how it answers with them. */
  readonly embeddings?: {
    readonly path: string;
    body(asked: AskedBody, vectors: readonly (readonly number[])[]): unknown;
  };
}
