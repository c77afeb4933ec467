import { ServiceError } from '../../../common/errors/service-error';
import { text } from '../../../common/texts/text';
import { AiFailure } from '../../provider/ai-failure';

export const EXTRACTION_FAILED = text('ai.extraction-failed');

/** 500: no provider gave a usable extraction. A preset would be saved as a real formula. */
export class ExtractionFailedError extends ServiceError {
  override readonly name = 'ExtractionFailedError';
  readonly status = 500;

  constructor() {
    super(EXTRACTION_FAILED);
  }

  /** Of a failed AI call; anything else (the database being away) stays what it is. */
  static from(error: unknown): unknown {
    return error instanceof AiFailure ? new ExtractionFailedError() : error;
  }
}
