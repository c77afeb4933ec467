import { ServiceError } from '../../../platform/common/errors/service-error';
import { text } from '../../../platform/texts/text';
import { AiFailure } from '../../../platform/common/errors/ai-failure';

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
