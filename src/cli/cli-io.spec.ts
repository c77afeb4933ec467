import { PassThrough, Readable } from 'node:stream';
import { ManualClock } from '../../test/support/clock';
import { CliIo, ProcessIo, Progress } from './cli-io';

class TestIo extends CliIo {
  readonly stdin = Readable.from([]);
  readonly stdout = new PassThrough();
  readonly stderr: PassThrough & { isTTY?: boolean };

  constructor(isTTY: boolean) {
    super();
    this.stderr = Object.assign(new PassThrough(), { isTTY });
  }

  written(): string {
    return String(this.stderr.read() ?? '');
  }
}

describe('Progress', () => {
  it('writes one line for each step where nobody watches', () => {
    const io = new TestIo(false);
    const progress = new Progress(io);
    for (let count = 1; count <= 5000; count++) progress.update('Reading', count);
    progress.update('Writing', 1, 2);
    progress.update('Writing', 2, 2);
    progress.done();
    expect(io.written()).toBe('Reading ...\nWriting ...\n');
  });

  it('rewrites one line on a terminal, not for every count, but always to the end', () => {
    const io = new TestIo(true);
    const progress = new Progress(io);
    for (let count = 1; count <= 2000; count++) progress.update('Writing', count, 2000);
    progress.update('Closing', 1);
    progress.done();
    const text = io.written();
    expect(text).toMatch(
      /^\rWriting 1 of 2,000(\rWriting [\d,]+ of 2,000)*\rWriting 2,000 of 2,000\n\rClosing 1\n$/,
    );
    expect(text.split('\r').length).toBeLessThan(2000);
  });

  it('rewrites a line when 100 ms have passed, and no sooner', () => {
    const io = new TestIo(true);
    const clock = new ManualClock();
    const progress = new Progress(io, clock);
    for (const wait of [99, 1, 99, 1, 0]) {
      progress.update('Reading', clock.elapsed());
      clock.advance(wait);
    }
    expect(io.written()).toBe('\rReading 0\rReading 100\rReading 200');
  });

  it('ends a line once, and none that was not begun', () => {
    const io = new TestIo(true);
    const progress = new Progress(io);
    progress.done();
    progress.update('Reading', 1);
    progress.done();
    progress.done();
    progress.update('Reading', 2);
    expect(io.written()).toBe('\rReading 1\n\rReading 2');
  });
});

describe('CliIo', () => {
  it('prints results on standard output and tells the rest on standard error, line by line', () => {
    const io = new TestIo(false);
    io.print('result');
    io.print();
    io.tell('remark');
    expect([String(io.stdout.read()), io.written()]).toEqual(['result\n\n', 'remark\n']);
  });

  it('of a process has its three streams', () => {
    const { stdin, stdout, stderr } = new ProcessIo();
    expect([stdin === process.stdin, stdout === process.stdout, stderr === process.stderr]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
