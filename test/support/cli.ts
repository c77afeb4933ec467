import { PassThrough, Readable, Writable } from 'node:stream';
import type { INestApplicationContext, InjectionToken } from '@nestjs/common';
import { CliIo } from '../../src/cli/cli-io';
import { runCli } from '../../src/cli/run-cli';
import { type OpenService, ServiceContext } from '../../src/cli/service-context';

class CollectedText extends Writable {
  text = '';
  isTTY = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

export class TestIo extends CliIo {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout = new CollectedText();
  readonly stderr = new CollectedText();

  /** @param watched standard error is a terminal */
  constructor(stdin: string | Readable = '', watched = false) {
    super();
    this.stdin = typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin;
    this.stderr.isTTY = watched;
  }
}

/** A service that has what a test says, and is opened by nothing. */
export class FakeService extends ServiceContext {
  constructor(private readonly parts: ReadonlyMap<unknown, unknown> = new Map()) {
    super();
  }

  protected open(): Promise<OpenService> {
    return Promise.resolve({
      get: <T>(token: InjectionToken<T>) => this.parts.get(token) as T,
      close: () => Promise.resolve(),
    });
  }
}

/** A service that is already running, for commands in the same process. */
class RunningService extends ServiceContext {
  constructor(private readonly app: INestApplicationContext) {
    super();
  }

  protected open(): Promise<OpenService> {
    return Promise.resolve({
      get: (token) => this.app.get(token, { strict: false }),
      close: () => Promise.resolve(),
    });
  }
}

export interface CliOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

interface CliSurroundings {
  /** The service it works on; without one the command opens the service by its own settings. */
  app?: INestApplicationContext;
  service?: ServiceContext;
  /** What a command opens; by default the plain service. */
  module?: Parameters<typeof runCli>[0];
  stdin?: string | Readable;
}

/** Runs a command in this process. */
export async function cli(
  args: string[],
  { app, service = app && new RunningService(app), module, stdin = '' }: CliSurroundings = {},
): Promise<CliOutcome> {
  const io = new TestIo(stdin);
  const code = await runCli(module, { args, io, service });
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

/** A terminal at which somebody types these lines. */
export function terminal(...lines: string[]): Readable & { isTTY: boolean } {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  // Each answer is typed after its question has been read.
  lines.forEach((line, index) => setTimeout(() => input.write(`${line}\r`), 50 + index * 100));
  return input;
}
