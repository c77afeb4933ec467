import { PassThrough, Readable, Writable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
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

class TestIo extends CliIo {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout = new CollectedText();
  readonly stderr = new CollectedText();

  constructor(stdin: string | Readable) {
    super();
    this.stdin = typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin;
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

/**
 * Runs a command in this process.
 * @param app the service it works on; without it the command opens the service by its own settings
 */
export async function cli(
  args: string[],
  { app, stdin = '' }: { app?: INestApplicationContext; stdin?: string | Readable } = {},
): Promise<CliOutcome> {
  const io = new TestIo(stdin);
  const code = await runCli(args, io, app ? new RunningService(app) : undefined);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

/** A terminal at which somebody types these lines. */
export function terminal(...lines: string[]): Readable & { isTTY: boolean } {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  // Each answer is typed after its question has been read.
  lines.forEach((line, index) => setTimeout(() => input.write(`${line}\r`), 50 + index * 100));
  return input;
}
