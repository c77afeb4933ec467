import { Module } from '@nestjs/common';
import { EVENT_HANDLER, EXTRA_SETTINGS } from 'formula-development-service';
import { WebhookHandler, webhookSettings } from './webhook.handler';

@Module({
  providers: [
    { provide: EVENT_HANDLER, useClass: WebhookHandler },
    { provide: EXTRA_SETTINGS, useValue: webhookSettings },
  ],
})
export class WebhookModule {}
