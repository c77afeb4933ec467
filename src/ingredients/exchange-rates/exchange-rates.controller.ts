import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { taggedRecordText } from '../../platform/http/envelope';
import { Roles, type SignedInRequest } from '../../platform/http/route-decorators';
import { ApiErrors, ApiIfMatch, ApiTaggedRecord } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { faultOf, text } from '../../platform/texts/text';
import { ExchangeRatesDto, ShownExchangeRatesDto } from './exchange-rates.dto';
import { ExchangeRatesService, RATES_CHANGED } from './exchange-rates.service';

@ApiTags('raw materials')
@Controller('ext/exchange-rates')
@UseLane('short')
export class ExchangeRatesController {
  constructor(private readonly rates: ExchangeRatesService) {}

  @Get()
  @ApiOperation({ summary: 'Get the exchange rates with which costs are added up' })
  @ApiTaggedRecord(ShownExchangeRatesDto)
  async get(@Req() request: SignedInRequest) {
    return taggedRecordText(request, await this.rates.get());
  }

  @Put()
  @Roles('admin')
  @ApiOperation({ summary: 'Replace the exchange rates (admins only)' })
  @ApiIfMatch()
  @ApiTaggedRecord(ShownExchangeRatesDto)
  @ApiErrors({ 400: faultOf('rates.1.currency', text('rates.repeated')), 412: RATES_CHANGED })
  async replace(@Req() request: SignedInRequest, @Body() rates: ExchangeRatesDto) {
    return taggedRecordText(request, await this.rates.replace(rates, request.headers['if-match']));
  }
}
