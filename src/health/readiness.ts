import { Injectable } from '@nestjs/common';

/** Whether this instance wants new work: health says no as soon as it is to stop, before it does. */
@Injectable()
export class Readiness {
  private leaving = false;

  get isLeaving(): boolean {
    return this.leaving;
  }

  /** For good. */
  leave(): void {
    this.leaving = true;
  }
}
