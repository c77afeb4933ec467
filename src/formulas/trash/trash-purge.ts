import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HourlyDeletion } from '../../platform/common/hourly-deletion';
import { TrashService } from './trash.service';

/** Formulas that one statement removes, each with up to a thousand versions. */
const FORMULAS_AT_ONCE = 10;

/** Removes formulas from the trash whose time is over. */
@Injectable()
export class TrashPurge extends HourlyDeletion {
  constructor(
    adapterHost: HttpAdapterHost,
    private readonly trash: TrashService,
  ) {
    super(adapterHost, 'formulas of the trash', FORMULAS_AT_ONCE);
  }

  protected isEnabled(): boolean {
    return true;
  }

  protected deleteStep(): Promise<number> {
    return this.trash.purge(FORMULAS_AT_ONCE);
  }
}
