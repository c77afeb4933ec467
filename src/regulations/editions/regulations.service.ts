import { Injectable } from '@nestjs/common';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import type { Slice } from '../../platform/http/envelope';
import type { PageQuery } from '../../platform/common/pagination';
import { SecurityLog } from '../../platform/common/security-log';
import { text } from '../../platform/texts/text';
import { violates } from '../../platform/database/pg-errors';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { ConcurrencyLimiter } from '../../platform/request-limits/concurrency-limiter';
import type { EditionDto, Limit, LimitMatches, WantedSubstance } from './limit.entity';
import type { LimitDraft } from './limit-cells';
import type { LimitFile } from './limit-file';
import { RegulationsRepository } from './regulations.repository';
import { refusalText } from '../regulations.texts';

/** Most limits of one edition. */
export const MAX_LIMITS = 20_000;
/** Most names and CAS numbers of all its limits, and most characters. */
const MAX_NAMES = 200_000;
const MAX_CHARACTERS = 16_000_000;

const NOT_FOUND = text('limits.edition-not-found');

/** Manages imported tables of limits, and finds limits of substances. */
@Injectable()
export class RegulationsService {
  constructor(
    private readonly limits: RegulationsRepository,
    private readonly transactions: TransactionManager,
    private readonly securityLog: SecurityLog,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  /**
   * Stores a file of limits under a name.
   * @param options.isPartial imports the other rows although some are refused
   * @param options.lang language of the reasons
   * @param options.id an id that no edition has; default: a new one
   * @throws InvalidInputError for refused rows, no rows or too many; ConflictError if the name exists
   */
  async importEdition(
    name: string,
    { limits, refused }: LimitFile,
    { isPartial = false, lang = 'zh', id }: { isPartial?: boolean; lang?: 'zh' | 'en'; id?: string } = {},
  ): Promise<EditionDto> {
    if (refused.length > 0 && !(isPartial && limits.length > 0)) throw refusedRows(refused, lang);
    if (limits.length === 0) throw new InvalidInputError(text('limits.no-rows'));
    if (limits.length > MAX_LIMITS) {
      throw new InvalidInputError(text('limits.too-many-rows', { max: MAX_LIMITS, count: limits.length }));
    }
    requireModestSize(limits);
    try {
      const insert = () => this.limits.insert({ name, id }, limits, refused);
      const edition = await this.limiter.run('write', () => this.transactions.run(insert));
      this.securityLog.record('ext.limits.imported', { edition: edition.id, rows: edition.rowCount });
      return edition;
    } catch (error) {
      if (violates(error, 'uq_limit_editions_name')) throw new ConflictError(text('limits.edition-exists'));
      throw error;
    }
  }

  /** The edition imported last comes first. */
  listEditions(query: PageQuery): Promise<Slice<EditionDto>> {
    return this.limits.listEditions(query);
  }

  /** @throws NotFoundError */
  async getEdition(id: string): Promise<EditionDto> {
    const edition = await this.limits.findEdition(id);
    if (!edition) throw new NotFoundError(NOT_FOUND);
    return edition;
  }

  /**
   * Returns the rows of an edition in the order of the file.
   * @throws NotFoundError
   */
  async list(editionId: string, query: PageQuery): Promise<Slice<Limit>> {
    const { rowCount } = await this.getEdition(editionId);
    return { rows: await this.limits.list(editionId, query), total: rowCount };
  }

  /**
   * Makes an edition the default of its regions, in place of any other, or of none.
   * @throws NotFoundError
   */
  async setDefault(id: string, isDefault: boolean): Promise<EditionDto> {
    const edition = await this.getEdition(id);
    const regions = isDefault ? edition.regions : [];
    await this.limits.setDefault(id, regions);
    this.securityLog.record('ext.limits.default', { edition: id, regions });
    return this.getEdition(id);
  }

  /** Returns true if there was an edition with this name. */
  async removeNamed(name: string): Promise<boolean> {
    const id = await this.limits.findByName(name);
    if (id !== undefined) await this.deleteEdition(id);
    return id !== undefined;
  }

  /** @throws NotFoundError */
  async deleteEdition(id: string): Promise<void> {
    if (!(await this.limits.deleteEdition(id))) throw new NotFoundError(NOT_FOUND);
    this.securityLog.record('ext.limits.deleted', { edition: id });
  }

  /**
   * Finds the limits of substances.
   * @param query the region in lower case; `on` a day such as `2026-12-31`; `edition` a name or an id
   * @throws NotFoundError if there is no edition with that name or id
   */
  async matching(
    query: { region: string; on: string; edition?: string },
    substances: readonly WantedSubstance[],
  ): Promise<LimitMatches> {
    const edition = await this.limits.chooseEdition(query.region, query.edition ?? null);
    if (!edition && query.edition !== undefined) throw new NotFoundError(NOT_FOUND);
    if (!edition) return { edition: null, limits: [], upcoming: [] };
    const keys = new Set(substances.flatMap(({ key, casNumbers }) => [key, ...casNumbers]));
    const found = await this.limits.match(edition.id, query, [...keys]);
    const [limits, upcoming]: [Limit[], Limit[]] = [[], []];
    for (const { isUpcoming, ...limit } of found) (isUpcoming ? upcoming : limits).push(limit);
    return { edition, limits, upcoming };
  }
}

/** @throws InvalidInputError */
function requireModestSize(limits: readonly LimitDraft[]): void {
  let [names, characters] = [0, 0];
  for (const limit of limits) {
    names += limit.inciNames.length + limit.casNumbers.length;
    for (const value of Object.values(limit)) characters += lengthOf(value);
  }
  if (names > MAX_NAMES || characters > MAX_CHARACTERS) {
    throw new InvalidInputError(text('limits.too-large', { names: MAX_NAMES, characters: MAX_CHARACTERS }));
  }
}

const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? (value as string[]).reduce((sum, item) => sum + item.length, 0) : 0;
};

const refusedRows = (refused: LimitFile['refused'], lang: 'zh' | 'en'): InvalidInputError =>
  InvalidInputError.of(
    refused.map(({ row, column, value, reason }) => ({
      field: `row ${row}`,
      message: [column, refusalText.in(lang)(`limit-refusal.${reason}`), value].filter(Boolean).join(': '),
    })),
  );
