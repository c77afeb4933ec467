import { PassThrough, Readable } from 'node:stream';
import { CliIo, Progress } from './cli-io';

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
});
