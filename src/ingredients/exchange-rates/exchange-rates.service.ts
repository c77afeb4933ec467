import { Injectable } from '@nestjs/common';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { requireMatch } from '../../platform/http/envelope';
import { text } from '../../platform/texts/text';
import type { ExchangeRatesDto, ShownExchangeRatesDto } from './exchange-rates.dto';
import { ExchangeRatesRepository } from './exchange-rates.repository';

export const RATES_CHANGED = text('rates.changed');

@Injectable()
export class ExchangeRatesService {
  constructor(
    private readonly rates: ExchangeRatesRepository,
    private readonly transactions: TransactionManager,
  ) {}

  async get(): Promise<ShownExchangeRatesDto> {
    const found = await this.rates.findAll();
    return {
      currency: found.find(({ isBase }) => isBase)?.currency ?? null,
      rates: found.flatMap(({ currency, rate, isBase }) => (isBase ? [] : [{ currency, rate }])),
    };
  }

  /**
   * Replaces all rates.
   * @param ifMatch as the header `If-Match` has it: then only the rates that it names are replaced
   * @throws InvalidInputError, PreconditionFailedError
   */
  async replace(given: ExchangeRatesDto, ifMatch?: string): Promise<ShownExchangeRatesDto> {
    const rates = storedRates(given);
    return this.transactions.run(async () => {
      await this.rates.lock();
      if (ifMatch !== undefined) requireMatch(ifMatch, await this.get(), () => RATES_CHANGED);
      await this.rates.replace(rates);
      return this.get();
    });
  }
}

/** @throws InvalidInputError for rates without a currency of costs, and for a currency that stands twice */
function storedRates({ currency, rates }: ExchangeRatesDto) {
  const names = [currency, ...rates.map((one) => one.currency)];
  const faults = names.flatMap((name, at) =>
    names.indexOf(name) < at ? { field: `rates.${at - 1}.currency`, message: text('rates.repeated') } : [],
  );
  if (!currency && rates.length > 0) faults.unshift({ field: 'currency', message: text('field.required') });
  if (faults.length > 0) throw InvalidInputError.of(faults);
  return [
    ...(currency ? [{ currency, rate: 1, isBase: true }] : []),
    ...rates.map((one) => ({ ...one, isBase: false })),
  ];
}
