import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service';
import { ExchangeRateEntity } from './exchange-rate.entity';

/** The rates of all currencies: the base currency is one of them. */
@Injectable()
export class ExchangeRatesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** By currency. */
  findAll(): Promise<ExchangeRateEntity[]> {
    return this.database.orm((manager) => manager.find(ExchangeRateEntity, { order: { currency: 'ASC' } }));
  }

  /** No other request changes the rates until the transaction ends. */
  async lock(): Promise<void> {
    const text = 'LOCK TABLE exchange_rates IN SHARE ROW EXCLUSIVE MODE';
    await this.database.query({ name: 'exchange-rates.lock', text }, []);
  }

  /** Replaces all rates. Call it within a transaction. */
  async replace(rates: readonly ExchangeRateEntity[]): Promise<void> {
    await this.database.orm(async (manager) => {
      await manager.deleteAll(ExchangeRateEntity);
      await manager.insert(ExchangeRateEntity, [...rates]);
    });
  }
}
