import { Injectable } from '@nestjs/common';
import { type Reader, type RowFilter, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { EventPublisher } from '../../platform/events/event-publisher';
import { WriteValidators } from '../../platform/events/write-validators';
import { requireMatch } from '../../platform/http/envelope';
import { type FaultText, text } from '../../platform/texts/text';
import { BulkWritesRepository } from '../bulk-writes.repository';
import { FORMULA_NOT_FOUND, notFound } from '../formula-errors';
import { FormulasRepository } from '../formulas.repository';
import { FormulasService } from '../formulas.service';
import { traitsOf } from '../product-types';
import {
  EMPTY_PROFILE,
  type MixedWithDto,
  type Profile,
  type ProfileDto,
  type ReplaceProfileDto,
  toProfile,
} from './profile.fields';
import { ProfilesRepository } from './profiles.repository';

@Injectable()
export class ProfilesService {
  constructor(
    private readonly profiles: ProfilesRepository,
    private readonly formulas: FormulasService,
    private readonly repository: FormulasRepository,
    private readonly bulk: BulkWritesRepository,
    private readonly rowFilters: RowFilterService,
    private readonly validators: WriteValidators,
    private readonly transactions: TransactionManager,
    private readonly events: EventPublisher,
  ) {}

  /**
   * Returns an empty profile for a formula without one.
   * @throws NotFoundError
   */
  async get(reader: Reader, id: string): Promise<ProfileDto> {
    const profile = await this.profiles.find(await this.rowFilters.of(reader), id);
    if (profile === undefined) notFound();
    const { productType, ...others } = { ...EMPTY_PROFILE, ...profile };
    return {
      formulaId: id.toLowerCase(),
      productType,
      traits: traitsOf(productType),
      ...others,
    };
  }

  /**
   * Replaces the profile. The formula's own date and version do not change.
   * @param ifMatch the header `If-Match`: only the profile that it names is replaced
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError; InvalidInputError for another formula that the user
   *   may not read, unless the profile names it already
   */
  async replace(user: CurrentUser, id: string, input: ReplaceProfileDto, ifMatch?: string) {
    const filter = await this.formulas.assertCanChange(user, id);
    await this.validators.require('formula.updated', {}, id);
    return this.transactions.run(async () => {
      await this.bulk.lock([id]);
      if (ifMatch !== undefined)
        requireMatch(ifMatch, await this.get(filter, id), () => text('profile.changed'));
      const mixedWith = input.mixedWith ? await this.mixedWith(filter, id, input.mixedWith) : null;
      await this.profiles.write(id, { ...toProfile(input), mixedWith });
      await this.events.publish('formula.updated', id, { changed: ['profile'] });
      return this.get(filter, id);
    });
  }

  /** Gives a new formula the profile of another. Call it within the transaction that creates it. */
  async copy(id: string, copyId: string): Promise<void> {
    const stored = await this.profiles.stored(id);
    if (stored) await this.profiles.write(copyId, stored);
  }

  /** Gives a new formula the profile of a file. Another formula that the user may not read is only a name. */
  async import(user: CurrentUser, id: string, profile: Profile): Promise<void> {
    const { mixedWith } = profile;
    const known = mixedWith && (await this.readable(await this.rowFilters.of(user), mixedWith.formulaId));
    const other = { formulaId: known?.id ?? null, ...(known && { name: known.name }) };
    await this.profiles.write(id, { ...profile, mixedWith: mixedWith && { ...mixedWith, ...other } });
  }

  /** Reads the name of the other formula, which the user may read or the profile names already. */
  private async mixedWith(
    filter: RowFilter,
    id: string,
    { formulaId, name, ratio }: MixedWithDto,
  ): Promise<Profile['mixedWith']> {
    const otherId = formulaId?.toLowerCase() ?? null;
    if (otherId === null && !name) throw fault('mixedWith', text('profile.formula-or-name'));
    if (otherId === null) return { formulaId: null, name: name!, ratio };
    if (otherId === id.toLowerCase()) throw fault('mixedWith.formulaId', text('profile.mixed-with-itself'));
    const stored = (await this.profiles.stored(id))?.mixedWith;
    const known =
      (await this.readable(filter, otherId)) ?? (stored?.formulaId === otherId ? stored : undefined);
    if (!known) throw fault('mixedWith.formulaId', FORMULA_NOT_FOUND);
    return { formulaId: otherId, name: known.name, ratio };
  }

  private async readable(filter: RowFilter, id: string | null | undefined) {
    return id ? (await this.repository.findNames(filter, [id])).get(id) : undefined;
  }
}

const fault = (field: string, message: FaultText) => InvalidInputError.of([{ field, message }]);
