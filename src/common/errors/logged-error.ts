/** Whose work errors come from, while they last. */
const origins = new WeakMap<object, string>();

/** Notes for the log whose work an error comes from; it stays as it is, and what was noted first counts. */
export function noteOrigin(error: unknown, origin: string): void {
  if (typeof error === 'object' && error !== null && !origins.has(error)) origins.set(error, origin);
}

/** Causes of causes that are shown; there may be any number, and one may be its own. */
const SHOWN_CAUSES = 5;

/**
 * What a log line shows of an error: never the other fields that drivers attach, because statement parameters
 * and row details are the laboratory's data.
 */
export function loggedError(error: unknown, causes = SHOWN_CAUSES): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: asText(error) };
  const { code } = error as { code?: unknown };
  const origin = origins.get(error);
  return {
    type: error.constructor.name,
    message: error.message,
    ...(origin === undefined ? {} : { origin }),
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || causes === 0 ? {} : { cause: loggedError(error.cause, causes - 1) }),
  };
}

/** Anything can be thrown, also what is no text and cannot be made one. */
function asText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return typeof thrown;
  }
}
