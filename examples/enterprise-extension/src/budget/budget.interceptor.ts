import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { aiCallOf, type AiEvent, ownText, TooManyRequestsError } from 'formula-development-service';
import { defer, finalize, type Observable, switchMap } from 'rxjs';
import { BudgetsService } from './budgets.service';

/** Stands around every AI call: each user has so many tokens a day. */
@Injectable()
export class BudgetInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  private readonly logger = new Logger('Budget');

  constructor(private readonly budgets: BudgetsService) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const { user, usage } = aiCallOf(context);
    if (!user) return next.handle(); // a job's: nobody's budget
    return defer(() => this.requireTokens(user.id)).pipe(
      switchMap(() => next.handle()),
      // However it ends; an answer of the cache has cost nothing.
      finalize(() => void this.note(user.id, usage.tokens)),
    );
  }

  private async requireTokens(userId: string): Promise<void> {
    if (!(await this.budgets.isSpent(userId))) return;
    throw new TooManyRequestsError(
      this.budgets.secondsLeft(),
      undefined,
      ownText('budget.spent', 'Your AI tokens of today are spent'),
    );
  }

  private async note(userId: string, tokens = 0): Promise<void> {
    if (tokens === 0) return;
    await this.budgets.spend(userId, tokens).catch((error: unknown) => this.logger.error(error));
  }
}
