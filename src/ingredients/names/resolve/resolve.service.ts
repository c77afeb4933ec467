import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../../platform/access/row-filter';
import type { CurrentUser } from '../../../platform/common/current-user';
import { Environment } from '../../../platform/config/environment';
import { type NameReadings, readingsOf, type Resolution, resolutionOf } from './resolution';
import { ResolveRepository, type WantedText } from './resolve.repository';

/** Similar names are searched for the entire name only. */
const allReadings = ({ whole, parts }: NameReadings) => [
  ...whole.map((reading) => ({ ...reading, isPart: false })),
  ...parts.flat().map((reading) => ({ ...reading, isPart: true })),
];

@Injectable()
export class ResolveService {
  constructor(
    private readonly ingredients: ResolveRepository,
    private readonly rowFilters: RowFilterService,
    private readonly environment: Environment,
  ) {}

  /** The ingredients that each name may mean, in the order of the names: of those that the user may see. */
  async resolve(user: CurrentUser, names: readonly string[]): Promise<Resolution[]> {
    const filter = await this.rowFilters.of(user);
    const readings = names.map((name) => readingsOf(name, this.environment.everydayNames));
    const wanted = new Map<string, WantedText>();
    for (const { name, keys, meanings, isPart } of readings.flatMap(allReadings)) {
      for (const key of keys) {
        const written = meanings || isPart ? null : name;
        wanted.set(key, { key, written: wanted.get(key)?.written ?? written });
      }
    }
    const keys = [...wanted.keys()];
    const found = await this.ingredients.find(filter, [...wanted.values()]);
    const byKey = new Map(keys.map((key, index) => [key, found[index]!]));
    return names.map((name, index) => resolutionOf(name, readings[index]!, (key) => byKey.get(key) ?? []));
  }
}
