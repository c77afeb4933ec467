import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A currency of prices. */
@Entity('exchange_rates')
@Check('ck_exchange_rates_rate', `rate > 0 AND rate < 'Infinity'`)
@Index('uq_exchange_rates_base', ['isBase'], { unique: true, where: 'is_base' })
export class ExchangeRateEntity {
  /** Its code: `EUR`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_exchange_rates' })
  currency!: string;

  /** Units of the base currency for one unit of this one. */
  @Column('numeric')
  rate!: number;

  /** True for the currency in which costs add up. */
  @Column('boolean', { name: 'is_base', default: false })
  isBase!: boolean;
}
