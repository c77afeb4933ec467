import { AiFailure } from '../../provider/ai-failure';
import { type CompletionRequest } from '../../provider/ai-provider';

/** Statuses with which servers refuse a request parameter they do not know. */
const REFUSALS = new Set([400, 415, 422, 501]);

/**
 * The ways to request JSON from a provider, the strictest first. A server that refuses one gets the next. The one that
 * worked is remembered for the connection; one that failed for another reason is not.
 */
export class AnswerFormats<Format extends string> {
  private settled: Format;

  constructor(private readonly formats: readonly [Format, ...Format[]]) {
    this.settled = formats[0];
  }

  /** The way to use for this attempt. */
  for(request: CompletionRequest): Format {
    return (request.negotiated.format as Format | undefined) ?? this.settled;
  }

  worked(format: Format): void {
    this.settled = format;
  }

  /**
   * The failure to report: when it may be the format's fault, one that lets the call go on in the next
   * format.
   */
  refused(failure: AiFailure, format: Format, request: CompletionRequest): AiFailure {
    const next = this.formats[this.formats.indexOf(format) + 1];
    if (next === undefined || failure.status === undefined || !REFUSALS.has(failure.status)) return failure;
    request.negotiated.format = next;
    return new AiFailure('format', failure.provider, { retryable: true, status: failure.status });
  }
}

/** For ways of asking that do not carry the schema: it is put into the instructions. */
export function schemaInstruction(request: CompletionRequest): string {
  return `Answer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(request.schema.json)}`;
}

/** What a repair request says about the answer before. */
export function repairInstruction(problem: string): string {
  return `That answer cannot be used. What is wrong with it:\n${problem}\nGive the complete answer again, corrected, as JSON only.`;
}
