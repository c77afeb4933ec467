import { Body, Controller, Get, Param, Put, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { AnswersJsonText, page, taggedRecordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { type SignedInRequest, User } from '../../platform/http/route-decorators';
import { ApiErrors, ApiIfMatch, ApiPage, ApiTaggedRecord } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { faultOf, text } from '../../platform/texts/text';
import { CardDto, DocumentsQuery, ListedDocumentDto, ShownCardDto } from './card.dto';
import { CardsService } from './cards.service';

const NOT_FOUND = text('ingredient.not-found');
const FORBIDDEN = text('access.denied');
const CHANGED = text('ingredient.changed');
const NO_SOLVENT = faultOf('solvent', text('field.required'));
const NOT_A_DAY = faultOf('expiresBefore', text('field.not-a-day'));

@ApiTags('raw materials')
@Controller('ext/ingredients')
@UseLane('short')
export class CardsController {
  constructor(private readonly cards: CardsService) {}

  @Get('documents')
  @UseLane('reading')
  @ApiOperation({ summary: 'List documents of raw materials that expire, the first ones first, paged' })
  @ApiPage(ListedDocumentDto)
  @ApiErrors({ 400: NOT_A_DAY })
  async listDocuments(@User() user: CurrentUser, @Query() query: DocumentsQuery) {
    return page(await this.cards.listDocuments(user, query), query);
  }

  @Get(':id/card')
  @AnswersJsonText()
  @ApiOperation({ summary: 'Get the card of a raw material: suppliers, density, strength, documents' })
  @ApiTaggedRecord(ShownCardDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.cards.get(request.user, id));
  }

  @Put(':id/card')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Replace the card of a raw material',
    description: 'Never changes the `unitPrice` of the ingredient, which counts in costs while it is set.',
  })
  @ApiIfMatch()
  @ApiTaggedRecord(ShownCardDto)
  @ApiErrors({ 400: NO_SOLVENT, 403: FORBIDDEN, 404: NOT_FOUND, 412: CHANGED })
  async replace(@Req() request: SignedInRequest, @Param('id', PathId) id: string, @Body() card: CardDto) {
    const { user, headers } = request;
    const replaced = await this.cards.replace(user, id, card, headers['if-match']);
    return taggedRecordText(request, replaced);
  }
}
