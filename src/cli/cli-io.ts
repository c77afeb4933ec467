import type { Readable, Writable } from 'node:stream';
import { Clock } from '../platform/common/clock';

/** The streams of a command. Results go to `stdout`, progress and errors to `stderr`. */
export abstract class CliIo {
  abstract readonly stdin: Readable & { isTTY?: boolean };
  abstract readonly stdout: Writable & { isTTY?: boolean };
  abstract readonly stderr: Writable & { isTTY?: boolean };

  print(line = ''): void {
    this.stdout.write(`${line}\n`);
  }

  tell(line: string): void {
    this.stderr.write(`${line}\n`);
  }
}

export class ProcessIo extends CliIo {
  readonly stdin = process.stdin;
  readonly stdout = process.stdout;
  readonly stderr = process.stderr;
}

/** Interval at which a count on a terminal is updated, in milliseconds. */
const REFRESH_MILLISECONDS = 100;

/** Shows the progress of a command: on a terminal in one line that is rewritten, otherwise in one line per step. */
export class Progress {
  private shown?: { step: string; at: number };

  constructor(
    private readonly io: CliIo,
    private readonly clock: Clock = new Clock(),
  ) {}

  /** @param of total number, if it is known */
  update(step: string, count: number, of?: number): void {
    const terminal = this.io.stderr.isTTY === true;
    const isNew = this.shown?.step !== step;
    const now = this.clock.elapsed();
    if (!isNew && !terminal) return;
    if (!isNew && count !== of && this.shown && now - this.shown.at < REFRESH_MILLISECONDS) return;
    if (isNew) this.done();
    this.shown = { step, at: now };
    if (!terminal) this.io.tell(`${step} ...`);
    else this.io.stderr.write(`\r${step} ${number(count)}${of === undefined ? '' : ` of ${number(of)}`}`);
  }

  /** Ends the rewritten line. */
  done(): void {
    if (this.shown && this.io.stderr.isTTY === true) this.io.stderr.write('\n');
    this.shown = undefined;
  }
}

export const number = (value: number): string => value.toLocaleString('en');
