import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { ApiErrors, ApiRecord } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { ExtractedCompositionDto, ExtractTextDto } from '../capabilities/extract-formula/extraction.dto';
import { ExtractService } from '../capabilities/extract-formula/extraction.service';

const WITHOUT_TEXT = faultOf('text', text('field.required'));
const UNAVAILABLE = text('ai.unavailable');

@ApiTags('names')
@Controller('ext/formulas/extract')
@UseLane('ai')
export class ExtractController {
  constructor(private readonly extraction: ExtractService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Read a formula from free text and find its ingredients in the catalogue',
    description:
      'A line is in `phases` where exactly one ingredient is meant. Put the others there, and send `phases` with a ' +
      'name to `POST /api/formulas`. A text without a formula gives no phases.',
  })
  @ApiRecord(ExtractedCompositionDto)
  @ApiErrors({
    400: WITHOUT_TEXT,
    403: text('access.denied'),
    502: UNAVAILABLE,
    503: UNAVAILABLE,
    504: UNAVAILABLE,
  })
  async extract(@User() user: CurrentUser, @Body() { text: written }: ExtractTextDto) {
    return record(await this.extraction.extract(user, written));
  }
}
