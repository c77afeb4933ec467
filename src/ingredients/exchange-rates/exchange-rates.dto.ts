import { ApiProperty } from '@nestjs/swagger';
import { ListField, NumberField, TextField } from '../../platform/validation/fields';
import { currencyFault } from '../cards/card.dto';

const MAX_CURRENCY = 10;

export class ExchangeRateDto {
  @TextField({
    max: MAX_CURRENCY,
    rule: currencyFault,
    description: 'Its code, or a sign such as ¥',
    example: 'EUR',
  })
  currency!: string;

  @NumberField({
    moreThan: 0,
    max: 1_000_000_000,
    description: 'How much one unit of it is in the currency of costs',
    example: 7.8,
  })
  rate!: number;
}

export class ExchangeRatesDto {
  @TextField({
    max: MAX_CURRENCY,
    notBlank: true,
    presence: 'optional',
    rule: currencyFault,
    description: 'The currency of costs, and of prices that name none. Null: there are no rates',
    example: 'CNY',
  })
  currency?: string | null;

  @ListField({ type: () => ExchangeRateDto, maxItems: 200, description: 'Of other currencies' })
  rates!: ExchangeRateDto[];
}

export class ShownExchangeRatesDto {
  @ApiProperty({ type: String, nullable: true, description: 'The currency of costs', example: 'CNY' })
  currency!: string | null;

  @ApiProperty({ type: [ExchangeRateDto], description: 'By currency' })
  rates!: ExchangeRateDto[];
}
