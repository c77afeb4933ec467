/** The server, or the network to it, was silent for too long. */
export class SilentDatabaseError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(looks: number) {
    super(`The database has not answered a statement for ${looks} s: its connection is given up`);
  }
}
