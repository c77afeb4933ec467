import { Injectable, type PipeTransform } from '@nestjs/common';
import { isUuid } from '../validation/uuid';

/** The nil UUID. No record ever has it. */
const NO_RECORD = '00000000-0000-0000-0000-000000000000';

/**
 * Validates a record's id in the path: `@Param('id', PathId)`. Any other text than a UUID becomes the id of no
 * record. The pipe itself does not refuse it, because pipes of one request run in parallel, and a fault in the body
 * (400) must be reported before the 404.
 */
@Injectable()
export class PathId implements PipeTransform<string, string> {
  transform(value: string): string {
    return isUuid(value) ? value : NO_RECORD;
  }
}
