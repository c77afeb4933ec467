import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The only stored setting that is not secret. */
export const AI_MOCK = 'aiMock';

/** The table of stored settings: rows of a name and a value. */
export const SETTINGS_TABLE = 'runtime_settings';

export const SEALED_SETTINGS = `SELECT name, value FROM ${SETTINGS_TABLE} WHERE name <> '${AI_MOCK}' ORDER BY name`;

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** Derives a key from any text (HKDF-SHA256), so the secret may have other uses too. */
const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'formula-development-service', 'runtime-configuration', 32));

/**
 * Encrypts short texts for storage (AES-256-GCM), each bound to the name it is stored under. Encrypts with the
 * first secret, decrypts with any.
 */
export class SecretBox {
  private readonly keys: readonly Buffer[];

  constructor(...secrets: readonly (string | undefined)[]) {
    this.keys = [...new Set(secrets.filter((secret) => secret !== undefined))].map(keyOf);
  }

  get hasPrevious(): boolean {
    return this.keys.length > 1;
  }

  seal(name: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys[0]!, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`;
  }

  /** Returns the text; undefined if no secret decrypts it, it was stored under another name, or has been changed. */
  open(name: string, stored: string): string | undefined {
    return this.keys.map((key) => decrypt(key, name, stored)).find((text) => text !== undefined);
  }

  /** Returns true if the first secret decrypts the value. */
  isCurrent(name: string, stored: string): boolean {
    return decrypt(this.keys[0]!, name, stored) !== undefined;
  }
}

function decrypt(key: Buffer, name: string, stored: string): string | undefined {
  const [version, body] = stored.split(':');
  if (version !== VERSION || !body) return undefined;
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const rest = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
