import { connect, type Socket } from 'node:net';
import { ClientConnection, type ThreadLink } from '../client-connection';
import { driverFor } from '../driver';
import { type CommandIdentity, proofOf } from './command-identity';
import { copyIn, removeCopy } from './directory-copies';
import { contentOf, type Frame, FrameReader, frameOf } from './frames';
import { COMMAND_SAYS, type Hello, SERVICE_SAYS, SILENCE_MS } from './letters';
import { hasSocket, socketFileIn } from './socket-file';

/** A value can be as large as PostgreSQL's largest. */
const MOST_FRAME_BYTES = 1024 * 1024 * 1024;

/** How long the service may take to let a command in, in milliseconds. A copy takes its time. */
const WELCOME_MS = 15_000;

/** The running service lets the command not use its database, and says why. */
export class CommandRefusedError extends Error {
  constructor(reason: string) {
    super(`The running service has the database, and refuses the command: ${reason}`);
    this.name = 'CommandRefusedError';
  }
}

/** The running service has gone away, or says nothing any more. */
const gone = (what: string) =>
  Object.assign(new Error(`The running service ${what}`), { code: 'ECONNRESET' });

type Take = (frame: Frame) => void;

async function connectTo(dataDir: string): Promise<Socket> {
  const file = socketFileIn(dataDir);
  try {
    return await new Promise<Socket>((resolve, reject) => {
      const socket = connect(file.path, () => {
        socket.off('error', reject);
        resolve(socket);
      });
      socket.once('error', reject);
    });
  } finally {
    file.release();
  }
}

/** Whether a service runs in a data directory and lets commands in. */
export async function isServed(dataDir: string): Promise<boolean> {
  try {
    if (!hasSocket(dataDir)) return false;
    (await connectTo(dataDir)).destroy();
    return true;
  } catch {
    // Left by one that was killed, or of one that stops at this moment.
    return false;
  }
}

/** A copy of the service's database, in a data directory of its own. */
export interface DatabaseCopy {
  readonly directory: string;
  /** Removes it. */
  release(): Promise<void>;
}

/** The service that has a data directory open, for a command that works on its database meanwhile. */
export class RunningService {
  /** `pg` with clients of the service's database. */
  readonly driver = driverFor(() => new ClientConnection((connection) => this.enter(connection)));

  private constructor(
    private readonly dataDir: string,
    private readonly identity: CommandIdentity,
    private readonly warn: (message: string) => void,
  ) {}

  /**
   * @returns undefined where nobody listens
   * @throws Error where the socket may be another user's
   */
  static async find(
    dataDir: string,
    identity: CommandIdentity,
    warn: (message: string) => void,
  ): Promise<RunningService | undefined> {
    if (!hasSocket(dataDir)) return undefined;
    const service = new RunningService(dataDir, identity, warn);
    try {
      (await connectTo(dataDir)).destroy();
      return service;
    } catch {
      // Left by one that was killed, or of one that stops at this moment.
      return undefined;
    }
  }

  /**
   * What is written later is not in it.
   * @throws CommandRefusedError also where there is no room for it
   */
  async copy(): Promise<DatabaseCopy> {
    const socket = await connectTo(this.dataDir);
    let settle: Take = () => undefined;
    const copied = new Promise<string>((resolve, reject) => {
      settle = ({ letter, body }) => {
        if (letter === SERVICE_SAYS.copied) resolve(String(contentOf(body).directory));
      };
      socket.once('close', () => reject(gone('has gone away while it made a copy')));
      this.greet(socket, 'copy', (frame) => settle(frame), reject);
    });
    const called = await copied;
    const directory = this.copyIn(called, socket);
    return {
      directory,
      release: async () => {
        await removeCopy(directory);
        socket.destroy();
      },
    };
  }

  private copyIn(called: string, socket: Socket): string {
    try {
      return copyIn(this.dataDir, called);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  private async enter(connection: ClientConnection): Promise<ThreadLink> {
    const socket = await connectTo(this.dataDir);
    let isLeft = false;
    const say = (letter: string, body: Uint8Array | object) => {
      for (const part of frameOf(letter, body)) socket.write(part);
    };
    return new Promise<ThreadLink>((resolve, reject) => {
      const patience = setTimeout(() => socket.destroy(gone('does not answer')), WELCOME_MS);
      let reason: Error | undefined;
      socket.on('error', (error) => (reason ??= error));
      socket.once('close', () => {
        clearTimeout(patience);
        const lost = reason ?? gone('has ended the connection');
        reject(lost);
        if (!isLeft) connection.lose(lost);
      });
      const take: Take = ({ letter, body }) => {
        switch (letter) {
          case SERVICE_SAYS.welcome:
            clearTimeout(patience);
            return resolve({
              client: Number(contentOf(body).client),
              run: (bytes, isPart) => say(isPart ? COMMAND_SAYS.runPart : COMMAND_SAYS.run, bytes),
              cancel: (client) => say(COMMAND_SAYS.cancel, { client }),
              leave: () => {
                isLeft = true;
                socket.end();
                socket.unref();
              },
            });
          case SERVICE_SAYS.answer:
            return connection.receive(body);
          case SERVICE_SAYS.cancelled:
            return connection.cancelled();
          case SERVICE_SAYS.terminated:
            return this.terminate(connection, contentOf(body));
        }
      };
      this.greet(socket, 'session', take, reject);
    });
  }

  private terminate(connection: ClientConnection, content: Record<string, unknown>): void {
    const { code, message, hint } = content as { code: string; message: string; hint?: string };
    this.warn(message);
    connection.terminated(code, message, hint);
  }

  /** Says who this is, and hands on what comes; a service that falls silent is not waited for. */
  private greet(
    socket: Socket,
    wants: Hello['wants'],
    take: Take,
    refused: (reason: CommandRefusedError) => void,
  ): void {
    const frames = new FrameReader(MOST_FRAME_BYTES);
    socket.on('error', () => undefined);
    socket.setTimeout(SILENCE_MS, () => socket.destroy(gone('does not answer any more')));
    const answer: Take = (frame) => {
      const { letter, body } = frame;
      if (letter === SERVICE_SAYS.nonce) {
        const { version } = this.identity;
        const proof = proofOf(this.identity, String(contentOf(body).nonce));
        const hello: Hello = { version, wants, proof };
        for (const part of frameOf(COMMAND_SAYS.hello, hello)) socket.write(part);
      } else if (letter === SERVICE_SAYS.refused) {
        refused(new CommandRefusedError(String(contentOf(body).reason)));
      } else take(frame);
    };
    socket.on('data', (bytes) => {
      try {
        frames.read(bytes, answer);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
  }
}
