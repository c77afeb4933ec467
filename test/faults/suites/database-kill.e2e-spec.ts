import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres';
import { EmbeddedDatabaseInUseError } from '../../../src/platform/database/embedded/errors';
import { LINES, type Findings } from '../../support/formula-writer';
import { TYPESCRIPT } from '../../support/typescript';

const SUPPORT = join(__dirname, '..', '..', 'support');

// Several processes are started one after the other, which takes its time on a busy machine.
jest.setTimeout(240_000);

/** A writing process; what it said was acknowledged is kept until its last byte. */
class Writer {
  readonly acknowledged: string[] = [];
  private findings?: Findings;
  private readonly child;
  private readonly silent: Promise<unknown>;
  private woken?: () => void;

  constructor(directory: string, ...more: string[]) {
    const script = ['-r', TYPESCRIPT, join(SUPPORT, 'formula-writer.ts')];
    this.child = spawn(process.execPath, [...script, directory, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(this.child.stdout);
    lines.on('line', (line) => {
      if (line.startsWith('ack ')) this.acknowledged.push(line.slice('ack '.length));
      else this.findings = JSON.parse(line.slice('found '.length)) as Findings;
      this.woken?.();
    });
    this.silent = once(lines, 'close').then(() => this.woken?.());
  }

  /** What the process found when it started. */
  async found(): Promise<Findings> {
    await this.until(() => this.findings !== undefined);
    return this.findings!;
  }

  acknowledges(count: number): Promise<void> {
    return this.until(() => this.acknowledged.length >= count);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.silent;
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.child.exitCode !== null) throw new Error('the writing process ended by itself');
      await new Promise<void>((resolve) => (this.woken = resolve));
    }
  }
}

function expectAllWhole(findings: Findings, acknowledged: string[]): void {
  expect(acknowledged.filter((version) => !(version in findings.versions))).toEqual([]);
  const versions = Object.values(findings.versions);
  expect(versions.filter((lines) => lines !== LINES)).toEqual([]);
  expect(findings).toMatchObject({
    contradictions: 0,
    indexed: versions.length * LINES,
    stored: findings.indexed,
  });
}

describe('the embedded database, killed', () => {
  let directory: string;
  let writer: Writer;

  const start = (...more: string[]) => (writer = new Writer(directory, ...more));

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'killed-'));
  });

  afterEach(async () => {
    await writer.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  it('in the middle of writes, several times, keeps every acknowledged formula and no half one', async () => {
    const acknowledged: string[] = [];
    for (const writes of [1, 60, 25, 40]) {
      start();
      expectAllWhole(await writer.found(), acknowledged);
      await writer.acknowledges(writes);
      await writer.kill();
      acknowledged.push(...writer.acknowledged);
    }
    start();
    expectAllWhole(await writer.found(), acknowledged);
    expect(acknowledged.length).toBeGreaterThan(125);
    await expect(EmbeddedPostgres.open({ dataDir: directory })).rejects.toThrow(EmbeddedDatabaseInUseError);
  });

  it('while it makes its directory for the first time, starts all the same', async () => {
    for (const delay of [300, 700, 1200]) {
      start('no-template');
      await pause(delay);
      await writer.kill();
    }
    start('no-template');
    await writer.acknowledges(3);
    await writer.kill();
    const { acknowledged } = writer;
    start();
    expectAllWhole(await writer.found(), acknowledged);
  });
});
