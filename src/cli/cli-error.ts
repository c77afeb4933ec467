export const EXIT = { ok: 0, failure: 1, usage: 2, inUse: 3 } as const;

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
