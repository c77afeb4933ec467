import { Module } from '@nestjs/common';
import { AI_INTERCEPTOR, EXTRA_MIGRATIONS, EXTRA_SETTINGS } from 'formula-development-service';
import { BudgetInterceptor } from './budget.interceptor';
import { BudgetsService, budgetSettings } from './budgets.service';
import { Spending1790000003000 } from './spending.migration';

@Module({
  providers: [
    BudgetsService,
    { provide: AI_INTERCEPTOR, useClass: BudgetInterceptor },
    { provide: EXTRA_SETTINGS, useValue: budgetSettings },
    { provide: EXTRA_MIGRATIONS, useValue: [Spending1790000003000] },
  ],
})
export class BudgetModule {}
