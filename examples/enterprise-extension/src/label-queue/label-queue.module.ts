import { Module } from '@nestjs/common';
import { REMOVED_MIGRATIONS } from 'formula-development-service';
import { LabelQueue1790000000500 } from './label-queue.migration';

// #region module
/** Labels are printed by another program now. When no database has the table any more, this folder goes. */
@Module({ providers: [{ provide: REMOVED_MIGRATIONS, useValue: [LabelQueue1790000000500] }] })
export class LabelQueueModule {}
// #endregion
