import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/route-decorators';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/lanes';
import { AnswersDocument } from '../../documents/answers-document';
import { type DocumentFormat, Format } from '../../documents/document-format';
import { DocumentsService } from '../../documents/documents.service';
import { comparisonDocument } from './comparison.document';
import { CompareQuery, ComparisonDto } from './comparison.dto';
import { ComparisonsService } from './comparisons.service';

const NOT_FOUND = [
  text('formula.not-found'),
  text('formula.version-not-found'),
  text('formula.no-earlier-version'),
];

@ApiTags('formula versions')
@Controller('ext/formulas')
@UseLane('formulas')
export class ComparisonsController {
  constructor(
    private readonly comparisons: ComparisonsService,
    private readonly documents: DocumentsService,
  ) {}

  @Get(':id/compare')
  @ApiOperation({ summary: 'Compare two versions, of one formula or of two' })
  @AnswersDocument(ComparisonDto)
  @ApiErrors({ 404: NOT_FOUND })
  async compare(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Query() query: CompareQuery,
    @Format() format: DocumentFormat,
  ) {
    const comparison = await this.comparisons.compare(user, id, query);
    return this.documents.answer(format, comparison, () => ({
      content: comparisonDocument(comparison, query.lang),
      language: query.lang,
    }));
  }
}
