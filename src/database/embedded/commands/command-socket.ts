import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedPostgres } from '../embedded-postgres';
import { CommandConnection, type CommandHost } from './command-connection';
import type { CommandIdentity } from './command-identity';
import { makeCopyDirectory, removeCopy, removeUnusedCopies, removeUnusedCopy } from './directory-copies';
import { makeRoomForSocket, type SocketFile, socketFileIn } from './socket-file';

/** Requests wait 15 s for the database: a command alone makes none of them fail. */
const TRANSACTION_MS = 10_000;

/** A command has four connections at most. */
const MOST_CONNECTIONS = 32;

/** How often, and after what pause (ms), is looked whether a command that is gone still has its copy open. */
const COPY_LOOKS = 20;
const COPY_LOOK_MS = 500;

export interface CommandSocketOptions {
  readonly dataDir: string;
  readonly identity: CommandIdentity;
  readonly warn: (message: string) => void;
  /** 10,000 unless a test says otherwise. */
  readonly transactionMs?: number;
}

/**
 * The socket by which a running service lets commands use its database: in the data directory, for the user
 * it runs as only.
 */
export class CommandSocket {
  private readonly connections = new Set<CommandConnection>();
  private hasBeenVisited = false;
  private isCopied = false;
  private isOpen = true;

  private constructor(
    private readonly server: Server,
    private readonly file: SocketFile,
    private readonly embedded: EmbeddedPostgres,
    private readonly options: CommandSocketOptions,
  ) {}

  /**
   * @param embedded has the data directory
   * @throws Error where this directory or this system cannot have such a socket
   */
  static async open(embedded: EmbeddedPostgres, options: CommandSocketOptions): Promise<CommandSocket> {
    const { dataDir } = options;
    makeRoomForSocket(dataDir);
    void removeUnusedCopies(dataDir).catch(() => undefined);
    const file = socketFileIn(dataDir);
    const server = createServer();
    try {
      await listening(server, file.path);
      chmodSync(file.path, 0o600);
      refuseOthers(file.path);
    } catch (error) {
      server.close();
      file.release();
      throw error;
    }
    const socket = new CommandSocket(server, file, embedded, options);
    server.on('connection', (connection) => socket.accept(connection));
    server.on('error', (error) => options.warn(`Commands cannot reach the service: ${error.message}`));
    server.unref();
    return socket;
  }

  /**
   * Whether a command has been connected since this was last asked: it may have written. Not while one has a
   * transaction open: nothing of it is there yet, and whoever looked would wait for its end.
   */
  takeVisited(): boolean {
    if ([...this.connections].some((connection) => connection.isInTransaction)) return false;
    const visited = this.hasBeenVisited || this.connections.size > 0;
    this.hasBeenVisited = false;
    return visited;
  }

  /** No command connects from here on; the others go on until the database is closed. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // Node removes the file as well, where its path is still good.
    rmSync(this.file.path, { force: true });
    this.server.close();
    this.file.release();
  }

  private accept(socket: Socket): void {
    if (this.connections.size >= MOST_CONNECTIONS) return void socket.destroy();
    const host: CommandHost = {
      identity: this.options.identity,
      transactionMs: this.options.transactionMs ?? TRANSACTION_MS,
      enter: (connection) => this.embedded.enter(connection),
      copy: () => this.copy(),
      warn: this.options.warn,
    };
    const connection = new CommandConnection(socket, host);
    this.connections.add(connection);
    socket.on('close', () => {
      this.connections.delete(connection);
      this.hasBeenVisited = true;
    });
  }

  /** One at a time: each takes the room of the whole database. */
  private async copy(): Promise<{ directory: string; release: () => void }> {
    if (this.isCopied)
      throw new Error('another command has a copy of the database just now: try again later');
    const directory = makeCopyDirectory(this.options.dataDir);
    this.isCopied = true;
    try {
      await this.embedded.copyTo(directory);
    } catch (error) {
      this.isCopied = false;
      await removeCopy(directory).catch(() => undefined);
      throw error;
    }
    return { directory, release: () => void this.forget(directory) };
  }

  /** The command removes it; where it was killed, or does not, it goes when it is no longer open. */
  private async forget(directory: string): Promise<void> {
    this.isCopied = false;
    for (let look = 0; look < COPY_LOOKS; look += 1) {
      if (await removeUnusedCopy(directory).catch(() => false)) return;
      await pause(COPY_LOOK_MS, undefined, { ref: false });
    }
  }
}

/** @throws Error where the file system knows no modes, or others have them */
function refuseOthers(path: string): void {
  if (lstatSync(path).mode & 0o077) throw new Error(`others may use ${path}, and that cannot be changed`);
}

/** The file is nobody else's from its first moment on: binding makes it with the process's mask, at once. */
async function listening(server: Server, path: string): Promise<void> {
  const listens = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const before = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await listens;
}
