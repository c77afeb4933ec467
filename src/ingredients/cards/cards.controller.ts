import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, UploadedFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswersDocument } from '../../documents/answers-document';
import { DocumentQuery } from '../../documents/document-format';
import { DocumentsService } from '../../documents/documents.service';
import { mayImportFiles, requireAllowed } from '../../platform/access/access-policy';
import type { CurrentUser } from '../../platform/common/current-user';
import { Environment } from '../../platform/config/environment';
import { AcceptsFile, type ReceivedFile } from '../../platform/http/accepts-file';
import { page, record, taggedRecordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { type SignedInRequest, User } from '../../platform/http/route-decorators';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { ApiErrors, ApiIfMatch, ApiPage, ApiRecord, ApiTaggedRecord } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { faultOf, text } from '../../platform/texts/text';
import { INGREDIENT_CHANGED } from '../ingredients.service';
import { MAX_EXPORTED_ROWS } from '../raw-materials/raw-material.dto';
import { rowsDocument } from '../raw-materials/rows.document';
import {
  CardDto,
  DocumentsQuery,
  ExportedCardsDto,
  ImportCardsQuery,
  ImportedCardsDto,
  ListedDocumentDto,
  ShownCardDto,
} from './card.dto';
import { CARD_COLUMNS } from './cards-file.words';
import { CardsService } from './cards.service';

const CARDS =
  'ingredientId,supplier,code,price,currency,date,density,document type,document,valid until\n' +
  `${EXAMPLE_IDS.ingredient},Example Oleochemicals,EX-22,1.35,EUR,2026-11-20,1.26,,,\n` +
  `${EXAMPLE_IDS.ingredient},,,,,,,certificate,Kosher,2027-11-20\n`;

const NOT_FOUND = text('ingredient.not-found');
const FORBIDDEN = text('access.denied');

@ApiTags('raw materials')
@Controller('ext/ingredients')
@UseLane('short')
export class CardsController {
  constructor(
    private readonly cards: CardsService,
    private readonly documents: DocumentsService,
    private readonly environment: Environment,
  ) {}

  @Get('cards')
  @UseLane('reading')
  @ApiOperation({
    summary: 'Export all cards as JSON or a file, a row for each price and each document',
    description: `Of the raw materials that you may read. More than ${MAX_EXPORTED_ROWS} rows are 409, never a part.`,
  })
  @AnswersDocument(ExportedCardsDto, 'One table, which the import takes back')
  @ApiErrors({ 409: text('composition.too-many-rows', { max: MAX_EXPORTED_ROWS }) })
  async exportAll(@Req() request: SignedInRequest, @Query() { lang }: DocumentQuery) {
    const data = await this.cards.exportRows(request.user);
    return this.documents.answer(request, lang, data, rowsDocument('cards', CARD_COLUMNS));
  }

  @Post('cards')
  @HttpCode(200)
  @UseLane('files')
  @ApiOperation({
    summary: 'Add what a file says to the cards of several raw materials, to all of them or none',
    description:
      'The rows are those of the export, or a price list: a row gives a price, a document, other facts, or several of ' +
      'them. A price replaces that of the supplier with the same code, trade name, unit, minimum order and day, a document ' +
      'that of the same kind and title, a fact the former one. Nothing else changes, and nothing is removed. A row without ' +
      'code or trade name has that of the entries of its supplier, if they have only one. A fault names its line and field.',
  })
  @AcceptsFile({ json: true, example: CARDS })
  @ApiRecord(ImportedCardsDto)
  @ApiErrors({ 400: faultOf('line 3: supplier.price', text('field.too-small', { min: 0 })), 403: FORBIDDEN })
  async importRows(
    @User() user: CurrentUser,
    @Query() query: ImportCardsQuery,
    @UploadedFile() file: ReceivedFile | undefined,
  ) {
    await requireAllowed(mayImportFiles(this.environment, user));
    return record(await this.cards.importFile(user, file, query));
  }

  @Get('documents')
  @UseLane('reading')
  @ApiOperation({ summary: 'List documents of raw materials that expire, the first ones first, paged' })
  @ApiPage(ListedDocumentDto)
  @ApiErrors({ 400: faultOf('expiresBefore', text('field.not-a-day')) })
  async listDocuments(@User() user: CurrentUser, @Query() query: DocumentsQuery) {
    return page(await this.cards.listDocuments(user, query), query);
  }

  @Get(':id/card')
  @ApiOperation({ summary: 'Get the card of a raw material: suppliers, density, strength, documents' })
  @ApiTaggedRecord(ShownCardDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.cards.get(request.user, id));
  }

  @Put(':id/card')
  @ApiOperation({
    summary: 'Replace the card of a raw material',
    description: 'Never changes the `unitPrice` of the ingredient, which counts in costs while it is set.',
  })
  @ApiIfMatch()
  @ApiTaggedRecord(ShownCardDto)
  @ApiErrors({
    400: faultOf('solvent', text('field.required')),
    ...{ 403: FORBIDDEN, 404: NOT_FOUND, 412: INGREDIENT_CHANGED },
  })
  async replace(@Req() request: SignedInRequest, @Param('id', PathId) id: string, @Body() card: CardDto) {
    const replaced = await this.cards.replace(request.user, id, card, request.headers['if-match']);
    return taggedRecordText(request, replaced);
  }
}
