import type { DatabaseReader } from '../../database/transfer/database-reader';
import { SEALED_SETTINGS } from '../../runtime-config/sealed-settings';
import type { SealedSettings } from './transfer-secrets';

export async function sealedSettingsOf(reader: DatabaseReader): Promise<SealedSettings> {
  const rows = await reader.query<{ name: string; value: string }>(SEALED_SETTINGS);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
