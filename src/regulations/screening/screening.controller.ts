import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import type { SignedInRequest } from '../../platform/http/route-decorators';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { AnswersDocument } from '../../documents/answers-document';
import { DocumentsService } from '../../documents/documents.service';
import { MAX_CONTRIBUTIONS } from '../../formulas/composition/expansion';
import { MAX_COMPARISONS } from './limit-scopes';
import { screeningDocument } from './screening.document';
import { ScreeningDto, ScreeningQuery } from './screening.dto';
import { ScreeningService } from './screening.service';
import { VERSION_NOT_FOUND } from '../../formulas/formula-errors';

const NO_DAY = InvalidInputError.of([{ field: 'on', message: text('field.not-a-day') }]).text;
export const TOO_MANY = [
  text('formula.too-many-substances', { max: MAX_CONTRIBUTIONS }),
  text('screening.too-many-comparisons', { max: MAX_COMPARISONS }),
];

@ApiTags('screening')
@Controller('ext/formulas')
@UseLane('formulas')
export class ScreeningController {
  constructor(
    private readonly screenings: ScreeningService,
    private readonly documents: DocumentsService,
  ) {}

  @Get(':id/screening')
  @ApiOperation({
    summary: 'Compare a formula with the loaded limits of a region',
    description:
      'Compares the shares of substances with rows of a table that an administrator loaded. It says what it cannot ' +
      'judge and what it did not examine. Not legal advice and not a safety assessment.',
  })
  @AnswersDocument(ScreeningDto)
  @ApiErrors({ 400: NO_DAY, 404: VERSION_NOT_FOUND, 409: TOO_MANY })
  async screen(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Query() query: ScreeningQuery,
  ) {
    const data = await this.screenings.screen(request.user, id, query);
    return this.documents.answer(request, query.lang, data, screeningDocument);
  }
}
