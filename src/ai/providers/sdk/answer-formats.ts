import { AiFailure } from '../../../platform/common/errors/ai-failure';
import { type CompletionRequest } from '../ai-provider';

/** Statuses with which servers refuse an unknown request parameter. */
const REFUSALS = new Set([400, 415, 422, 501]);

/**
 * The formats in which a provider can be requested to send JSON, the strictest first. If the server
 * refuses a format, the next one is used. The format that worked is stored for the connection.
 */
export class AnswerFormats<Format extends string> {
  private settled: Format;

  constructor(private readonly formats: readonly [Format, ...Format[]]) {
    this.settled = formats[0];
  }

  /** Returns the format for this attempt. */
  for(request: CompletionRequest): Format {
    return (request.negotiated.format as Format | undefined) ?? this.settled;
  }

  worked(format: Format): void {
    this.settled = format;
  }

  /**
   * Returns the failure to report. If the format may be the cause, it is a `format` failure, and the
   * next attempt uses the next format.
   */
  refused(failure: AiFailure, format: Format, request: CompletionRequest): AiFailure {
    const next = this.formats[this.formats.indexOf(format) + 1];
    if (next === undefined || failure.status === undefined || !REFUSALS.has(failure.status)) return failure;
    request.negotiated.format = next;
    return new AiFailure('format', failure.provider, { retryable: true, status: failure.status });
  }
}

/** Returns an instruction with the schema, for formats that do not send the schema themselves. */
export function schemaInstruction(request: CompletionRequest): string {
  return `Answer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(request.schema.json)}`;
}

/** Returns the instruction of a repair request. */
export function repairInstruction(problem: string): string {
  return `That answer cannot be used. What is wrong with it:\n${problem}\nGive the complete answer again, corrected, as JSON only.`;
}
