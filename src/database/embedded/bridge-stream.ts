import { Duplex } from 'node:stream';

/** The thread's end of a connection, as the stream sees it. */
export interface BridgePeer {
  /** Rejects when there is nothing to connect to. */
  open(): Promise<void>;
  /** Hands the bytes over: the chunk must not be used afterwards. */
  send(chunk: Uint8Array): void;
  /** So many bytes of answers were read. */
  read(bytes: number): void;
  /** No more will be sent; what was sent shall still be done. */
  leave(): void;
  /** The stream is gone, in whatever way; what was not finished is rolled back. */
  vanish(): void;
}

/** Bytes on their way to the thread before a writer is asked to wait. */
const MAX_UNCONSUMED_BYTES = 4 * 1024 * 1024;

/** Reading is reported in steps of this size, so that small answers cost no message back. */
const READ_REPORT_BYTES = 1024 * 1024;

type Callback = (error?: Error | null) => void;

/**
 * A connection to the embedded database, with the parts of a socket's interface that `pg` uses.
 * The socket calls that have no meaning without a network (delay, keep-alive) do nothing.
 */
export class BridgeStream extends Duplex {
  private unconsumed = 0;
  private received = 0;
  private reported = 0;
  private waiting?: Callback;

  constructor(private readonly peer: BridgePeer) {
    super({ allowHalfOpen: false });
  }

  connect(): this {
    this.peer.open().then(
      () => {
        if (this.destroyed) this.peer.vanish();
        else this.emit('connect');
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Bytes from the database. */
  receive(chunk: Uint8Array): void {
    if (this.destroyed) return;
    this.received += chunk.byteLength;
    this.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.reportRead();
  }

  /** The database has taken in so many bytes. */
  consumed(bytes: number): void {
    this.unconsumed -= bytes;
    if (this.unconsumed > MAX_UNCONSUMED_BYTES) return;
    const callback = this.waiting;
    this.waiting = undefined;
    callback?.();
  }

  /** The database has ended the connection. */
  finish(): void {
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    // Answers are pushed as they come; being asked for more means that some were read.
    this.reportRead();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.hand(new Uint8Array(chunk), callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: Callback): void {
    const size = chunks.reduce((sum, { chunk }) => sum + chunk.byteLength, 0);
    const whole = new Uint8Array(size);
    let offset = 0;
    for (const { chunk } of chunks) {
      whole.set(chunk, offset);
      offset += chunk.byteLength;
    }
    this.hand(whole, callback);
  }

  override _final(callback: Callback): void {
    // A socket's half close: what was sent is still done, then the other end closes.
    this.peer.leave();
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.peer.vanish();
    this.waiting?.(error ?? new Error('the connection is closed'));
    this.waiting = undefined;
    callback(error);
  }

  private reportRead(): void {
    const read = this.received - this.readableLength;
    if (read - this.reported < READ_REPORT_BYTES || this.destroyed) return;
    this.peer.read(read - this.reported);
    this.reported = read;
  }

  private hand(bytes: Uint8Array, callback: Callback): void {
    this.unconsumed += bytes.byteLength;
    this.peer.send(bytes);
    if (this.unconsumed <= MAX_UNCONSUMED_BYTES) callback();
    else this.waiting = callback;
  }
}
