import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../platform/common/current-user';
import { User } from '../platform/http/route-decorators';
import { UseLane } from '../platform/request-limits/lanes';
import { PagePolicy } from '../documents/answers-document';
import type { DocumentLanguage } from '../documents/document';
import { DocumentsService } from '../documents/documents.service';
import { LanguageField, requestLanguage } from '../documents/language-field';
import { swatchesDocument } from './swatches.document';
import { MatchQuery } from './color.dto';
import { ColorService } from './color.service';

class SwatchQuery extends MatchQuery {
  @LanguageField('Language of the page')
  lang: DocumentLanguage = requestLanguage();
}

@ApiTags('colour pages')
@Controller('ext/color')
@UseLane('short')
export class SwatchesController {
  constructor(
    private readonly colors: ColorService,
    private readonly documents: DocumentsService,
  ) {}

  @Get('page')
  @PagePolicy()
  @ApiOperation({ summary: 'Show the stored colours nearest to a measurement as a page with swatches' })
  @ApiOkResponse({ description: 'A page to print', content: { 'text/html': { schema: { type: 'string' } } } })
  async page(@User() user: CurrentUser, @Query() { L, a, b, limit, lang }: SwatchQuery) {
    const wanted = { L, a, b };
    const matches = await this.colors.nearest(user, wanted, limit);
    return this.documents.answer('html', matches, () => ({
      content: swatchesDocument(wanted, matches, lang),
      language: lang,
    }));
  }
}
