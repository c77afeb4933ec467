import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import { ColorService } from '../color.service';
import type { CurrentUser } from '../../platform/common/current-user';
import type { LabColor } from './swatch';
import { SwatchesRepository } from './swatches.repository';

/** A stored colour near the one that is looked for. */
export interface SwatchMatch {
  readonly name: string;
  readonly target: LabColor;
  /** Null where nobody has measured it. */
  readonly measured: LabColor | null;
  /** CIEDE2000 from the colour that is looked for to the target. */
  readonly distance: number;
  /** Between target and measurement, as it was stored; null where it was not. */
  readonly deltaE: number | null;
}

@Injectable()
export class SwatchesService {
  constructor(
    private readonly colors: ColorService,
    private readonly swatches: SwatchesRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** Exactly the nearest stored colours that the user may see, the nearest first. */
  async match(user: CurrentUser, wanted: LabColor, limit: number): Promise<SwatchMatch[]> {
    const matches = await this.colors.match(user, wanted, limit);
    const filter = await this.rowFilters.of(user);
    const measured = await this.swatches.findMeasured(
      filter,
      matches.map(({ id }) => id),
    );
    return matches.map(({ id, name, targetLab, distance, deltaE }) => ({
      name,
      target: targetLab,
      measured: measured.get(id) ?? null,
      distance,
      deltaE,
    }));
  }
}
