import { Injectable, type PipeTransform } from '@nestjs/common';
import { isUuid } from '../validation/uuid';

/** The nil UUID: no record ever has it. */
const NO_RECORD = '00000000-0000-0000-0000-000000000000';

/**
 * A record's id in the path: `@Param('id', PathId)`. What is no UUID names no record. The pipe does not
 * refuse it itself: pipes of one request run side by side, and a fault of the body (400) is to be told before
 * the 404.
 */
@Injectable()
export class PathId implements PipeTransform<string, string> {
  transform(value: string): string {
    return isUuid(value) ? value : NO_RECORD;
  }
}
