import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { type SignedInRequest, User } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiRecord } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { AnswersDocument } from '../../documents/answers-document';
import { DocumentsService } from '../../documents/documents.service';
import { ExchangeRatesService } from '../../ingredients/exchange-rates/exchange-rates.service';
import { CompositionsService } from '../composition/compositions.service';
import { balanceOf } from './balance';
import { BalanceProposalDto, BalanceQuery } from './balance.dto';
import { batchDocumentOf } from './batch.document';
import { batchSheetOf } from './batch-sheet';
import { BatchQuery, BatchSheetDto } from './batch.dto';
import { formulaCostOf } from './cost';
import { costDocumentOf } from './cost.document';
import { CostQuery, FormulaCostDto } from './cost.dto';
import { VERSION_NOT_FOUND } from '../formula-errors';

@ApiTags('analysis')
@Controller('ext/formulas')
@UseLane('formulas')
export class AnalysisController {
  constructor(
    private readonly compositions: CompositionsService,
    private readonly documents: DocumentsService,
    private readonly rates: ExchangeRatesService,
  ) {}

  @Get(':id/cost')
  @ApiOperation({ summary: "Calculate the cost of the raw materials at today's prices of the catalogue" })
  @AnswersDocument(FormulaCostDto)
  @ApiErrors({ 404: VERSION_NOT_FOUND })
  async cost(
    @Req() request: SignedInRequest,
    @Param('id', PathId) formulaId: string,
    @Query() { version, batch, unit, lang }: CostQuery,
  ) {
    const [composition] = await this.compositions.read(request.user, [{ formulaId, version }]);
    const cost = formulaCostOf(composition, { batch, unit }, await this.rates.get());
    return this.documents.answer(request, lang, cost, costDocumentOf);
  }

  @Get(':id/batch')
  @ApiOperation({
    summary: 'Calculate a batch sheet: weights rounded to the balance that add up to exactly the batch',
  })
  @AnswersDocument(BatchSheetDto)
  @ApiErrors({ 404: VERSION_NOT_FOUND })
  async batch(
    @Req() request: SignedInRequest,
    @Param('id', PathId) formulaId: string,
    @Query() { version, mass, unit, step, stepUnit, lang }: BatchQuery,
  ) {
    const [composition] = await this.compositions.read(request.user, [{ formulaId, version }]);
    const sheet = batchSheetOf(composition, { mass, unit, step, stepUnit });
    return this.documents.answer(request, lang, sheet, batchDocumentOf);
  }

  @Get(':id/balance')
  @ApiOperation({
    summary:
      'Propose a composition in which one line (q.s.) brings the sum to exactly 100; nothing is written',
  })
  @ApiRecord(BalanceProposalDto)
  @ApiErrors({ 404: VERSION_NOT_FOUND })
  async balance(
    @User() user: CurrentUser,
    @Param('id', PathId) formulaId: string,
    @Query() { version, line, to }: BalanceQuery,
  ) {
    const [composition] = await this.compositions.read(user, [{ formulaId, version }]);
    return record(balanceOf(composition, line, to));
  }
}
