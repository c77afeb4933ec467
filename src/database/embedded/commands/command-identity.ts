import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a command must have in common with the service whose database it works on. */
export interface CommandIdentity {
  /** Of this build. */
  readonly version: string;
  /** A key made of the secrets of the settings; it is never sent. */
  readonly secretsKey: Buffer;
}

/** That somebody has the key, good for one connection. */
export const proofOf = ({ secretsKey }: CommandIdentity, nonce: string): string =>
  createHmac('sha256', secretsKey).update(nonce).digest('hex');

export function isProof(given: unknown, identity: CommandIdentity, nonce: string): boolean {
  const expected = Buffer.from(proofOf(identity, nonce));
  const found = Buffer.from(typeof given === 'string' ? given : '');
  return found.length === expected.length && timingSafeEqual(found, expected);
}
