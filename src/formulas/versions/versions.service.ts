import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../platform/access/access-policy';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { NotFoundError } from '../../platform/common/errors/service-error';
import type { Slice } from '../../platform/http/envelope';
import type { PageQuery } from '../../platform/common/pagination';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { text } from '../../platform/texts/text';
import { toInsertValues } from '../../platform/validation/field-metadata';
import { FormulasRepository } from '../formulas.repository';
import { FormulasService } from '../formulas.service';
import { mayReadUsernames, namedIf } from '../../users/people/rights';
import { type Composition, toCompositionDto } from '../composition/composition';
import { ExchangeRatesService } from '../../ingredients/exchange-rates/exchange-rates.service';
import { CompositionsService } from '../composition/compositions.service';
import { compareVersions } from './comparison/compare';
import type { CompareQuery, ComparisonDto } from './comparison.dto';
import type { CopyFormulaDto, ListedVersionDto, RestoreVersionDto } from './version.dto';
import { FormulaFields, MAX_NAME } from '../formula.fields';
import { ProfilesService } from '../profile/profiles.service';
import { COPY_SUFFIX, restoredFrom } from '../formulas.texts';

@Injectable()
export class VersionsService {
  constructor(
    private readonly repository: FormulasRepository,
    private readonly formulas: FormulasService,
    private readonly compositions: CompositionsService,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly profiles: ProfilesService,
    private readonly transactions: TransactionManager,
    private readonly rates: ExchangeRatesService,
  ) {}

  /** @throws NotFoundError */
  async list(user: CurrentUser, id: string, query: PageQuery): Promise<Slice<ListedVersionDto>> {
    const slice = await this.repository.listVersions(await this.rowFilters.of(user), id, query);
    if (!slice) throw new NotFoundError(text('formula.not-found'));
    const mayReadNames = await mayReadUsernames(this.policy, user);
    const rows = slice.rows.map((row) => ({ ...row, createdBy: namedIf(mayReadNames, row.createdBy) }));
    return { ...slice, rows };
  }

  /**
   * A new version that is equal to an earlier one.
   * @throws what `FormulasService.revise` throws: InvalidInputError names ingredients that the user may not see
   */
  async restore(
    user: CurrentUser,
    id: string,
    versionNumber: number,
    { description = restoredFrom(versionNumber) }: RestoreVersionDto,
    ifMatch?: string,
  ) {
    const version = (await this.formulas.getVersion(user, id, versionNumber)).parse();
    return this.formulas.revise(user, id, { ...toCompositionDto(version), description }, ifMatch);
  }

  /**
   * A new formula with the profile, and with the composition of the latest version, or of another one.
   * @throws what `FormulasService.create` throws
   */
  async copy(user: CurrentUser, id: string, { name, projectId, version }: CopyFormulaDto) {
    const original = (await this.formulas.get(user, id)).parse();
    const copied = version
      ? (await this.formulas.getVersion(user, id, version)).parse()
      : original.versions[0]!;
    return this.transactions.run(async () => {
      const created = await this.formulas.create(user, {
        ...toInsertValues(FormulaFields, original),
        name: name ?? copyName(original.name),
        // The project is named where the user may see it.
        projectId: projectId === undefined ? original.project?.id : projectId,
        ...toCompositionDto(copied),
      });
      await this.profiles.copy(id, created.parse().id);
      return created;
    });
  }

  /**
   * @throws NotFoundError for a formula that the user may not read, for a version that there is not, and where no
   *   version is before the first
   */
  async compare(user: CurrentUser, id: string, query: CompareQuery): Promise<ComparisonDto> {
    const [from, to] = await this.readBoth(user, id, query);
    return compareVersions(from, to, await this.rates.get());
  }

  /** Without a version to begin from it is the one before, or of another formula the latest. */
  private async readBoth(
    user: CurrentUser,
    id: string,
    { from, to, toFormula = id }: CompareQuery,
  ): Promise<readonly [from: Composition, to: Composition]> {
    const later = { formulaId: toFormula, version: to };
    if (from !== undefined || toFormula.toLowerCase() !== id.toLowerCase()) {
      return this.compositions.read(user, [{ formulaId: id, version: from }, later]);
    }
    const [latest] = await this.compositions.read(user, [later]);
    const previousNumber = latest.versionNumber - 1;
    if (previousNumber === 0) throw new NotFoundError(text('formula.no-earlier-version'));
    const [previous] = await this.compositions.read(user, [{ formulaId: id, version: previousNumber }]);
    return [previous, latest];
  }
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const lengthOf = (text: string): number => Array.from(text).length;

/** The name of a copy. A long name loses its last characters, none of which is cut into parts. */
function copyName(name: string): string {
  const most = MAX_NAME - lengthOf(COPY_SUFFIX);
  let kept = '';
  let length = 0;
  for (const { segment } of characters.segment(name)) {
    length += lengthOf(segment);
    if (length > most) break;
    kept += segment;
  }
  return kept + COPY_SUFFIX;
}
