import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import type { Composition } from './composition';
import { CompositionsRepository, type VersionReference } from './compositions.repository';

@Injectable()
export class CompositionsService {
  constructor(
    private readonly compositions: CompositionsRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  /**
   * These versions, in the order in which they are asked for.
   * @throws NotFoundError for a formula that the user may not read, and for a version that it does not have
   */
  async read<const References extends readonly VersionReference[]>(
    user: CurrentUser,
    references: References,
  ): Promise<{ [Each in keyof References]: Composition }> {
    const found = await this.compositions.find(await this.rowFilters.of(user), references);
    const compositions = references.map((_, index) => {
      const row = found.find(({ position }) => position === index + 1);
      if (!row) throw new NotFoundError(text('formula.not-found'));
      if (!row.composition) throw new NotFoundError(text('formula.version-not-found'));
      return row.composition;
    });
    return compositions as { [Each in keyof References]: Composition };
  }
}
