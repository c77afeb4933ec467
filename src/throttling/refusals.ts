import { Injectable } from '@nestjs/common';

const EACH_TURN = 8;

/**
 * Few requests beyond the rate limit are refused in one turn of the event loop. Who asks again as soon as
 * refused, on a hundred connections, would fill each turn before others' work; and that needs several: a
 * request arrives, its user is found, then what it asks for.
 */
@Injectable()
export class Refusals {
  private readonly waiting: (() => void)[] = [];

  /** Resolves when the next request may be refused, in their order. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) this.begin();
    });
  }

  private begin(): void {
    setImmediate(() => {
      for (const resolve of this.waiting.splice(0, EACH_TURN)) resolve();
      if (this.waiting.length > 0) this.begin();
    });
  }
}
