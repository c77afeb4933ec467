/** What a command says to the service. */
export const COMMAND_SAYS = {
  /** Who it is and what it wants: `Hello`. */
  hello: 'h',
  /** A group of PostgreSQL's messages for the session. */
  run: 'r',
  /** The same, and more belongs to it. */
  runPart: 'p',
  /** `{ client }`: takes back a waiting query of that one's. */
  cancel: 'c',
} as const;

/** What the service says to a command. */
export const SERVICE_SAYS = {
  /** `{ nonce }`, as soon as a command connects. */
  nonce: 'n',
  /** `{ client }`: it is one of the database's clients now. */
  welcome: 'w',
  /** `{ reason }`: nothing more follows. */
  refused: 'x',
  /** A part of PostgreSQL's answer. */
  answer: 'a',
  /** Its waiting query was taken back. */
  cancelled: 'k',
  /** `{ code, message, hint }`: its connection to the database has been ended. */
  terminated: 't',
  /** `{ directory }`: the copy that it asked for. */
  copied: 'd',
  /** Nothing but that it is there. */
  alive: 'i',
} as const;

export interface Hello {
  readonly version: string;
  /** To be a client of the database, or to have a copy of it. */
  readonly wants: 'session' | 'copy';
  /** That it has the service's secrets, without telling them: see `command-identity.ts`. */
  readonly proof: string;
}

/** How often the service says that it is there, in milliseconds. */
export const ALIVE_EVERY_MS = 5_000;

/** After so long without a word the service is no longer waited for, in milliseconds. */
export const SILENCE_MS = 30_000;
