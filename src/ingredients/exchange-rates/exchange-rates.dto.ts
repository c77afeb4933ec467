import { ListField, NumberField } from '../../platform/validation/fields';
import { ResponseType } from '../../platform/validation/record-fields';
import { CurrencyField } from '../cards/card.dto';

export class ExchangeRateDto {
  @CurrencyField({ description: 'Its code, or a sign such as ¥', example: 'EUR' })
  currency!: string;

  @NumberField({
    min: 0.000_001,
    max: 1_000_000_000,
    description: 'How much one unit of it is in the currency of costs',
    example: 7.8,
  })
  rate!: number;
}

export class ExchangeRatesDto {
  @CurrencyField({
    presence: 'optional',
    description: 'The currency of costs, and of prices that name none. Null: there are no rates',
  })
  currency?: string | null;

  @ListField({
    type: () => ExchangeRateDto,
    maxItems: 200,
    description: 'Of other currencies; answers have them by currency',
  })
  rates!: ExchangeRateDto[];
}

export class ShownExchangeRatesDto extends ResponseType(ExchangeRatesDto) {}
