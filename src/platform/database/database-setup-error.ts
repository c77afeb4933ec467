/** The service cannot start. The message tells the operator what to do. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}
