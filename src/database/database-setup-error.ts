/** Start-up cannot go on; the message says what the person who runs the service must do. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}
