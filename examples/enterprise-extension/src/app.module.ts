import { join } from 'node:path';
import { AppModule } from 'formula-development-service';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuditModule } from './audit/audit.module';
import { BudgetModule } from './budget/budget.module';
import { DossiersModule } from './dossiers/dossiers.module';
import { GammaModule } from './gamma/gamma.module';
import { GermanModule } from './german/german.module';
import { LabelQueueModule } from './label-queue/label-queue.module';
import { NamingRuleModule } from './naming-rule/naming-rule.module';
import { NightCheckModule } from './night-check/night-check.module';
import { ProductNamesModule } from './product-names/product-names.module';
import { RedactionModule } from './redaction/redaction.module';
import { StabilityModule } from './stability/stability.module';
import { TeamsModule } from './teams/teams.module';
import { WebhookModule } from './webhook/webhook.module';

export const EXTENSIONS = [
  TeamsModule,
  StabilityModule,
  DossiersModule,
  ApiKeysModule,
  GammaModule,
  ProductNamesModule,
  BudgetModule,
  RedactionModule.withNamesOf(join(__dirname, '../customers.txt')), // a promise of a module
  AuditModule,
  WebhookModule,
  NamingRuleModule,
  NightCheckModule,
  GermanModule,
  LabelQueueModule,
];

/** The service with this project's modules. */
export const application = AppModule.register({ extensions: EXTENSIONS });
