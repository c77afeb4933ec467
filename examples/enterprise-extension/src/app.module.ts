import { AppModule } from 'formula-development-service';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuditModule } from './audit/audit.module';
import { BudgetModule } from './budget/budget.module';
import { DossiersModule } from './dossiers/dossiers.module';
import { EnglishModule } from './english/english.module';
import { GammaModule } from './gamma/gamma.module';
import { NamingRuleModule } from './naming-rule/naming-rule.module';
import { NightCheckModule } from './night-check/night-check.module';
import { SharedStoresModule } from './shared-stores/shared-stores.module';
import { StabilityModule } from './stability/stability.module';
import { TeamsModule } from './teams/teams.module';
import { WebhookModule } from './webhook/webhook.module';

// #region extensions
export const EXTENSIONS = [
  TeamsModule,
  StabilityModule,
  DossiersModule,
  ApiKeysModule,
  GammaModule,
  BudgetModule,
  AuditModule,
  WebhookModule,
  NamingRuleModule,
  NightCheckModule,
  SharedStoresModule,
  EnglishModule,
];

/** The service with this project's modules. */
export const application = AppModule.register({ extensions: EXTENSIONS });
// #endregion
