import type { ServerResponse } from 'node:http';

/**
 * Disconnects a reader who takes nothing of what waits for it. While nothing waits nothing is timed: a stream
 * may be silent for as long as it likes.
 */
export class StallTimeout {
  private expected = 0;
  private taken = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param waiting bytes that have been handed on and not yet been taken */
  constructor(
    private readonly response: ServerResponse,
    private readonly waiting: () => number,
    private readonly stallMs: number,
  ) {
    const stop = (): void => clearTimeout(this.timer);
    response.once('close', stop);
    response.once('finish', stop);
  }

  /** Tells that this many more bytes are on their way to the reader. */
  expect(bytes: number): void {
    this.expected += bytes;
    if (!this.timer) this.watch();
  }

  private watch(): void {
    this.timer = setTimeout(() => this.check(), this.stallMs);
    this.timer.unref();
  }

  private check(): void {
    this.timer = undefined;
    if (this.response.destroyed || this.response.writableFinished) return;
    const waiting = this.waiting();
    const taken = this.expected - waiting;
    if (waiting === 0) {
      this.taken = taken;
    } else if (taken > this.taken) {
      this.taken = taken;
      this.watch();
    } else {
      this.response.destroy();
    }
  }
}
