import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../../platform/common/current-user';
import { CompositionsService } from '../composition/compositions.service';
import type { VersionReference } from '../composition/compositions.repository';
import type { BalanceProposalDto } from './balance.dto';
import { balanceOf } from './balance';
import { batchSheetOf } from './batch';
import type { BatchOrder, BatchSheetDto } from './batch.dto';
import type { CostOrder, FormulaCostDto } from './cost.dto';
import { formulaCostOf } from './formula-cost';

/** Cost, batch sheet and balance of a version. Nothing is written. */
@Injectable()
export class AnalysisService {
  constructor(private readonly compositions: CompositionsService) {}

  async cost(user: CurrentUser, version: VersionReference, order: CostOrder): Promise<FormulaCostDto> {
    const [composition] = await this.compositions.read(user, [version]);
    return formulaCostOf(composition, order);
  }

  async batch(user: CurrentUser, version: VersionReference, order: BatchOrder): Promise<BatchSheetDto> {
    const [composition] = await this.compositions.read(user, [version]);
    return batchSheetOf(composition, order);
  }

  async balance(
    user: CurrentUser,
    version: VersionReference,
    { line, to }: { line: string; to: number },
  ): Promise<BalanceProposalDto> {
    const [composition] = await this.compositions.read(user, [version]);
    return balanceOf(composition, line, to);
  }
}
