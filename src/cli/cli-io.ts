import type { Readable, Writable } from 'node:stream';
import { Clock } from '../common/clock';

/** Where a command reads and writes. Results go to `stdout`, progress and errors to `stderr`. */
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

/** Counts on a terminal are rewritten in place this often. */
const REFRESH_MILLISECONDS = 100;

/** Says how far a command is: in one line that is rewritten on a terminal, else one line for each step. */
export class Progress {
  private shown?: { step: string; at: number };

  constructor(
    private readonly io: CliIo,
    private readonly clock: Clock = new Clock(),
  ) {}

  /** @param of how many there will be, where that is known */
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
