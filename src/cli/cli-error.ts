export const EXIT = { ok: 0, failure: 1, usage: 2, inUse: 3 } as const;

/** A command cannot do what it was asked to; the message tells the user why. Exit code 1. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** The command line itself is wrong. Exit code 2. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';
}

/** The command has said all there is to say; only the exit code is left. */
export class SilentFailure extends CliError {
  override readonly name = 'SilentFailure';
}
