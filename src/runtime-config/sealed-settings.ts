import { SecretBoxes } from './secret-box';

/** The one stored setting that is no secret. */
export const AI_MOCK = 'aiMock';

/** Where settings are stored: rows of a name and a value. */
export const SETTINGS_TABLE = 'runtime_settings';

export const SEALED_SETTINGS = `SELECT name, value FROM ${SETTINGS_TABLE} WHERE name <> '${AI_MOCK}' ORDER BY name`;

/** Stored settings that go from a service with one secret to a service with another. */
export class Resealing {
  private readonly from: SecretBoxes;
  private readonly to: SecretBoxes;

  /** @param oldSecrets each is tried */
  constructor(oldSecrets: readonly (string | undefined)[], newSecret: string) {
    this.from = new SecretBoxes(oldSecrets);
    this.to = new SecretBoxes([newSecret]);
  }

  opens(name: string, value: string): boolean {
    return this.from.open(name, value) !== undefined;
  }

  /**
   * The value as the new secret opens it; unchanged where the old one does not open it, or it is no
   * secret.
   */
  resealed(name: string, value: string): string {
    const opened = name === AI_MOCK ? undefined : this.from.open(name, value);
    return opened === undefined ? value : this.to.seal(name, opened.text);
  }
}
