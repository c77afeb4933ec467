/** The component that each error comes from, by error. */
const origins = new WeakMap<object, string>();

/** Records for the log which component an error comes from. The error is not changed, and the first origin counts. */
export function noteOrigin(error: unknown, origin: string): void {
  if (typeof error === 'object' && error !== null && !origins.has(error)) origins.set(error, origin);
}

/** Calls a function of an extension, and records it as the origin of its errors. */
export async function withOrigin<T>(origin: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    noteOrigin(error, origin);
    throw error;
  }
}

/**
 * Returns the fields of an error that are logged. Other fields that drivers attach are left out, because statement
 * parameters and row details are the laboratory's data. The chain of causes may be endless: an error can be its own.
 */
export function loggedError(error: unknown, causes = 5): Record<string, unknown> {
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

/** Any value can be thrown, even one that cannot be converted to a string. */
function asText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return typeof thrown;
  }
}
