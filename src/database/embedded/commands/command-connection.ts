import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Answered, ThreadLink } from '../client-connection';
import { statementPrefix } from '../client-messages';
import { checkGroup } from './client-group';
import { type CommandIdentity, isProof } from './command-identity';
import { contentOf, type Frame, FrameReader, frameOf } from './frames';
import { ALIVE_EVERY_MS, COMMAND_SAYS, type Hello, SERVICE_SAYS } from './letters';
import { ReadyStates } from './ready-states';

/** How long a command may take to say who it is, in milliseconds. */
const GREETING_MS = 5_000;

/** The largest greeting, and the largest group of messages: files of imports have 32 MB at most. */
const MOST_GREETING_BYTES = 4096;
const MOST_FRAME_BYTES = 64 * 1024 * 1024;

/** Answers that a command has not taken yet, in bytes. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

/** `pg` waits for each answer before it asks again. */
const MOST_UNANSWERED = 16;

/** As the extended protocol counts: names made by one connection. */
const MOST_STATEMENTS = 10_000;

/** How long what is said at the end may take to be read, in milliseconds. */
const FAREWELL_MS = 2_000;

/** What connections need of the service. */
export interface CommandHost {
  readonly identity: CommandIdentity;
  /** How long a transaction of a command may hold everybody up, in milliseconds. */
  readonly transactionMs: number;
  enter(connection: Answered): Promise<ThreadLink>;
  /** @returns the data directory of a copy, which is gone after `release` */
  copy(): Promise<{ directory: string; release: () => void }>;
  warn(message: string): void;
}

/**
 * What one command's connection may do, on the service's side. Whatever comes on it that is not as it should
 * be ends it, and only it.
 */
export class CommandConnection implements Answered {
  readonly stream = { destroy: () => void this.socket.destroy() };

  private readonly nonce = randomBytes(32).toString('hex');
  private readonly frames = new FrameReader(MOST_GREETING_BYTES);
  private readonly ready = new ReadyStates();
  private readonly statements = new Set<string>();
  private readonly greeting: NodeJS.Timeout;
  private readonly alive: NodeJS.Timeout;
  private state: 'greets' | 'waits' | 'serves' | 'copies' | 'over' = 'greets';
  private link?: ThreadLink;
  private unanswered = 0;
  private transaction?: NodeJS.Timeout;
  private releaseCopy?: () => void;

  constructor(
    private readonly socket: Socket,
    private readonly host: CommandHost,
  ) {
    // It keeps no process that has nothing else to do.
    socket.unref();
    socket.on('error', () => undefined);
    socket.on('close', () => this.close());
    socket.on('data', (bytes) => this.take(bytes));
    this.greeting = setTimeout(() => this.end(), GREETING_MS).unref();
    this.alive = setInterval(() => this.say(SERVICE_SAYS.alive), ALIVE_EVERY_MS).unref();
    this.say(SERVICE_SAYS.nonce, { nonce: this.nonce });
  }

  get isInTransaction(): boolean {
    return this.transaction !== undefined;
  }

  receive(bytes: Uint8Array): void {
    for (const state of this.ready.read(bytes)) {
      this.unanswered -= 1;
      if (state === 'I') this.stopTransaction();
      else this.limitTransaction();
    }
    this.say(SERVICE_SAYS.answer, bytes);
    if (this.socket.writableLength > MOST_UNREAD_BYTES) this.end();
  }

  cancelled(): void {
    this.unanswered -= 1;
    this.say(SERVICE_SAYS.cancelled);
  }

  terminated(code: string, message: string, hint?: string): void {
    this.farewell(SERVICE_SAYS.terminated, { code, message, hint });
  }

  lose(): void {
    this.end();
  }

  /** Cuts it: what it has open is rolled back. */
  end(): void {
    this.socket.destroy();
    this.close();
  }

  private take(bytes: Buffer): void {
    try {
      this.frames.read(bytes, (frame) => this.handle(frame));
    } catch {
      this.end();
    }
  }

  /** @throws Error what is not as it should be */
  private handle({ letter, body }: Frame): void {
    if (this.state === 'over') return;
    if (this.state === 'greets' && letter === COMMAND_SAYS.hello) return this.greet(contentOf(body));
    if (this.state !== 'serves' || !this.link) throw new Error(`${letter} is not expected`);
    switch (letter) {
      case COMMAND_SAYS.run:
        return this.run(this.link, body, false);
      case COMMAND_SAYS.runPart:
        return this.run(this.link, body, true);
      case COMMAND_SAYS.cancel:
        return this.link.cancel(Number(contentOf(body).client));
      default:
        throw new Error(`${letter} is not known`);
    }
  }

  private greet(hello: Partial<Record<keyof Hello, unknown>>): void {
    clearTimeout(this.greeting);
    this.state = 'waits';
    const { identity } = this.host;
    const { version, wants, proof } = hello;
    if (version !== identity.version) {
      return this.refuse(
        `the running service is version ${identity.version}, this command ${String(version).slice(0, 50)}: ` +
          'run the command of that version, or restart the service with this one',
      );
    }
    if (wants === 'copy') return void this.copy();
    if (!isProof(proof, identity, this.nonce)) {
      return this.refuse(
        'the secrets of its settings (JWT_SECRET, CONFIG_ENCRYPTION_KEY) are not those of the running service: ' +
          'run it with the same settings',
      );
    }
    void this.serve();
  }

  private async serve(): Promise<void> {
    try {
      const link = await this.host.enter(this);
      if (this.state === 'over') return link.leave([]);
      this.link = link;
      this.frames.most = MOST_FRAME_BYTES;
      this.state = 'serves';
      this.say(SERVICE_SAYS.welcome, { client: link.client });
    } catch (error) {
      this.refuse(reasonOf(error));
    }
  }

  private async copy(): Promise<void> {
    try {
      const { directory, release } = await this.host.copy();
      if (this.over) return release();
      this.state = 'copies';
      this.releaseCopy = release;
      this.say(SERVICE_SAYS.copied, { directory });
    } catch (error) {
      this.refuse(reasonOf(error));
    }
  }

  private get over(): boolean {
    return this.state === 'over';
  }

  private run(link: ThreadLink, body: Buffer, isPart: boolean): void {
    const prefix = statementPrefix(link.client);
    checkGroup(body, isPart, prefix, (name) => this.statements.add(name));
    if (isPart) this.limitTransaction();
    else this.unanswered += 1;
    if (this.unanswered > MOST_UNANSWERED) throw new Error('too much at once');
    if (this.statements.size > MOST_STATEMENTS) throw new Error('too many statements');
    // A buffer of its own, which is handed to the thread.
    link.run(new Uint8Array(body), isPart);
  }

  /** From now on, unless one is open already. */
  private limitTransaction(): void {
    const { transactionMs } = this.host;
    this.transaction ??= setTimeout(() => {
      const seconds = transactionMs / 1000;
      this.host.warn(`A command's transaction was undone: it held everybody up for ${seconds} s`);
      this.terminated(
        '25P04',
        `The running service has undone this command's transaction, after ${seconds} s in which nobody else was ` +
          'served. Do it in smaller parts, or stop the service for it',
      );
    }, transactionMs).unref();
  }

  private stopTransaction(): void {
    clearTimeout(this.transaction);
    this.transaction = undefined;
  }

  private refuse(reason: string): void {
    this.farewell(SERVICE_SAYS.refused, { reason });
  }

  /** The database is left at once; who does not read what is said is cut. */
  private farewell(letter: string, content: object): void {
    if (this.over) return;
    this.say(letter, content);
    this.close();
    this.socket.end();
    setTimeout(() => this.socket.destroy(), FAREWELL_MS).unref();
  }

  private say(letter: string, body?: Uint8Array | object): void {
    if (!this.socket.writable) return;
    this.socket.cork();
    for (const part of frameOf(letter, body)) this.socket.write(part);
    this.socket.uncork();
  }

  private close(): void {
    if (this.over) return;
    this.state = 'over';
    clearTimeout(this.greeting);
    clearInterval(this.alive);
    this.stopTransaction();
    this.link?.leave([...this.statements]);
    this.releaseCopy?.();
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
