import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InvalidInputError } from '../platform/common/errors/service-error';
import type { SignedInRequest } from '../platform/http/route-decorators';
import { PathId } from '../platform/http/path-id';
import { ApiErrors } from '../platform/openapi/responses';
import { faultOf, text } from '../platform/texts/text';
import { UseLane } from '../platform/request-limits/concurrency.guard';
import { AnswersDocument } from '../documents/answers-document';
import { DocumentsService } from '../documents/documents.service';
import { declarationDocument } from './declaration.document';
import { DeclarationDto, DeclarationQuery, REGIONS } from './declaration.dto';
import { rangeDocument } from './range.document';
import { RangeDeclarationDto, RangeQuery } from './range.dto';
import {
  DeclarationService,
  MAX_DECLARED_CONTRIBUTIONS,
  MAX_RANGE_CONTRIBUTIONS,
} from './declaration.service';
import { VERSION_NOT_FOUND } from '../formulas/formula-errors';

const NO_REGION = InvalidInputError.of([
  { field: 'region', message: text('field.none-of', { values: REGIONS.join(', ') }) },
]).text;
const WRONG_RANGE = faultOf('formulas', text('declaration.formulas-or-project'));
const TOO_MANY_TOGETHER = text('declaration.too-many-substances', { max: MAX_RANGE_CONTRIBUTIONS });
const TOO_MANY = text('formula.too-many-substances', { max: MAX_DECLARED_CONTRIBUTIONS });

@ApiTags('analysis')
@Controller('ext')
@UseLane('formulas')
export class DeclarationController {
  constructor(
    private readonly declarations: DeclarationService,
    private readonly documents: DocumentsService,
  ) {}

  @Get('formulas/:id/declaration')
  @ApiOperation({
    summary: 'Draft the ingredient list of the label',
    description:
      'By the rules of the EU, the United States or China, with raw materials expanded to their substances. It is ' +
      'to be checked by a qualified person: not legal advice and not a safety assessment.',
  })
  @AnswersDocument(DeclarationDto)
  @ApiErrors({ 400: NO_REGION, 404: VERSION_NOT_FOUND, 409: TOO_MANY })
  async declare(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Query() query: DeclarationQuery,
  ) {
    const data = await this.declarations.declare(request.user, id, query);
    return this.documents.answer(request, query.lang, data, declarationDocument);
  }

  @Get('declarations')
  @ApiOperation({
    summary: 'Draft one ingredient list for a range of shades',
    description:
      'For formulas that differ in colorants only: `[+/- …]` in the EU, `May contain` in the United States, ' +
      '可能含有的着色剂 in China. Where they differ in more, the differences are named, and `text` is null. The form is ' +
      'for decorative cosmetics.',
  })
  @AnswersDocument(RangeDeclarationDto)
  @ApiErrors({ 400: WRONG_RANGE, 404: text('formula.not-found'), 409: [TOO_MANY, TOO_MANY_TOGETHER] })
  async declareRange(@Req() request: SignedInRequest, @Query() query: RangeQuery) {
    const data = await this.declarations.declareRange(request.user, query);
    return this.documents.answer(request, query.lang, data, rangeDocument);
  }
}
