import type { Readable, Writable } from 'node:stream';
import type { Type } from '@nestjs/common';
import { CommandRunner, Option } from 'nest-commander';
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
    if (!isNew && count !== of && this.shown && now - this.shown.at < 100) return;
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

/** A command cannot do its work. The message tells the user why. Exit code 1. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** The command line itself is wrong. Exit code 2. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';
}

/** The command has already printed its message; only the exit code 1 is missing. */
export class SilentFailure extends CliError {
  override readonly name = 'SilentFailure';
}

/** A command that consists only of subcommands. */
export abstract class CommandGroup extends CommandRunner {
  // eslint-disable-next-line @typescript-eslint/require-await -- a rejected promise, as of any command
  async run([word]: string[]): Promise<void> {
    const names = this.command.commands.map((command) => command.name()).join(', ');
    const fault = word === undefined ? 'a command is missing' : `there is no command "${word}"`;
    throw new UsageError(`${fault}; ${this.command.name()} has: ${names}`);
  }
}

/** An option of a command. */
interface CommandOption {
  readonly flags: string;
  readonly description: string;
  /** Under which `run` gets the value; by default as the flag says. */
  readonly name?: string;
  readonly required?: boolean;
  /** By default the text of the option, or true if it takes none. */
  readonly parse?: (text: string, earlier: never) => unknown;
}

/** Declares options of a command. */
export const Options =
  (...options: readonly CommandOption[]) =>
  ({ prototype }: Type<CommandRunner>): void => {
    for (const { parse = (text?: string) => text ?? true, ...option } of options) {
      const [, key = ''] = /--([\w-]+)/.exec(option.flags) ?? [];
      // A function of its own, because the metadata of an option belongs to the function.
      const value = (text: string, earlier: never) => parse(text, earlier);
      Object.defineProperty(prototype, key, { value, configurable: true });
      Option(option)(prototype as object, key, Object.getOwnPropertyDescriptor(prototype, key)!);
    }
  };

/** Escapes invisible characters, because some are control sequences of the terminal. */
export const visible = (text: string): string =>
  text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
