import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** A text, and whether it was sealed with another secret than the one that seals now. */
export interface Opened {
  readonly text: string;
  readonly isOld: boolean;
}

/** Seals with one secret and opens with that and those before it. */
export class SecretBoxes {
  private readonly boxes: readonly SecretBox[];

  /** @param secrets the present one first */
  constructor(secrets: readonly (string | undefined)[]) {
    const set = secrets.filter((secret) => secret !== undefined);
    this.boxes = [...new Set(set)].map((secret) => new SecretBox(secret));
  }

  get hasOld(): boolean {
    return this.boxes.length > 1;
  }

  seal(name: string, text: string): string {
    return this.boxes[0]!.seal(name, text);
  }

  /** Undefined where no secret opens it. */
  open(name: string, stored: string): Opened | undefined {
    for (const [at, box] of this.boxes.entries()) {
      const text = box.open(name, stored);
      if (text !== undefined) return { text, isOld: at > 0 };
    }
    return undefined;
  }
}

/** Encrypts short texts for storage (AES-256-GCM), each bound to the name it is stored under. */
export class SecretBox {
  private readonly key: Buffer;

  /**
   * @param secret any text; the key is derived from it (HKDF-SHA256), so it may be the secret of something
   *   else
   */
  constructor(secret: string) {
    this.key = Buffer.from(
      hkdfSync('sha256', secret, 'formula-development-service', 'runtime-configuration', 32),
    );
  }

  seal(name: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`;
  }

  /**
   * The text, or undefined when it was sealed with another secret, under another name, or has been changed.
   */
  open(name: string, stored: string): string | undefined {
    const [version, body] = stored.split(':');
    if (version !== VERSION || !body) return undefined;
    const bytes = Buffer.from(body, 'base64');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES), {
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
}
