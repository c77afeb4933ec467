import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../../platform/common/current-user';
import { NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import type { Composition } from '../composition/composition';
import { CompositionsService } from '../composition/compositions.service';
import type { CompareQuery } from './comparison.dto';
import { comparisonOf, type FormulaComparison } from './formula-comparison';

@Injectable()
export class ComparisonsService {
  constructor(private readonly compositions: CompositionsService) {}

  /**
   * @throws NotFoundError for a formula that the user may not read, for a version that there is not, and where no
   *   version is before the first
   */
  async compare(user: CurrentUser, id: string, query: CompareQuery): Promise<FormulaComparison> {
    const [from, to] = await this.readBoth(user, id, query);
    return comparisonOf(from, to);
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
