const READY = 'Z'.charCodeAt(0);
const HEAD_BYTES = 5;

/**
 * Finds in PostgreSQL's answers, in whatever pieces they come, each point where it is ready for the next
 * query, and whether a transaction is open there.
 */
export class ReadyStates {
  /** Of a message whose beginning was in an earlier piece. */
  private head: number[] = [];
  private bodyLeft = 0;
  private type = 0;

  /** @returns of each point in this piece: `I` in no transaction, `T` in one, `E` in one that has failed */
  read(bytes: Uint8Array): string[] {
    const states: string[] = [];
    for (let at = 0; at < bytes.length;) {
      if (this.bodyLeft > 0) {
        const taken = Math.min(this.bodyLeft, bytes.length - at);
        if (this.type === READY) states.push(String.fromCharCode(bytes[at]!));
        at += taken;
        this.bodyLeft -= taken;
        continue;
      }
      this.head.push(bytes[at]!);
      at += 1;
      if (this.head.length < HEAD_BYTES) continue;
      this.type = this.head[0]!;
      this.bodyLeft = Buffer.from(this.head).readUInt32BE(1) - 4;
      this.head = [];
    }
    return states;
  }
}
