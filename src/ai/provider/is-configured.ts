import { Logger } from '@nestjs/common';
import { within } from '../../common/within';
import type { ProviderAccess } from '../../runtime-config/runtime-configuration';
import type { AiProvider } from './ai-provider';

/** How long a provider may take to say whether it could be called, in milliseconds. */
export const CONFIGURED_PATIENCE_MS = 5_000;

const logger = new Logger('AI');

/** Whether a provider could be called now. One that does not say it in time, or fails to, could not. */
export async function isConfigured(provider: AiProvider, access: ProviderAccess): Promise<boolean> {
  try {
    return await within(
      CONFIGURED_PATIENCE_MS,
      () => new Silence(),
      async () => provider.isConfigured(access),
    );
  } catch (error) {
    // No message: it may hold the key.
    const reason = error instanceof Error ? error.constructor.name : typeof error;
    logger.error(`The AI provider "${provider.name}" does not say whether it is configured (${reason})`);
    return false;
  }
}

class Silence extends Error {}
