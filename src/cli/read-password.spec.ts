import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { terminal, TestIo } from '../../test/support/cli';
import { CliError } from './cli-io';
import { checkedPassword, readPassword } from './read-password';

describe('checkedPassword', () => {
  it.each([
    ['the fewest characters', 'abcd'],
    ['blanks around', ' ab '],
    ['the fewest long characters', '😀😀😀😀'],
    ['the most characters', 'x'.repeat(1024)],
    ['the most long characters', '😀'.repeat(1024)],
  ])('takes %s', (_, password) => {
    expect(checkedPassword(password)).toBe(password);
  });

  it.each([
    ['is blank', ''],
    ['is blank', '   '],
    ['contains a NUL character', 'a\u0000'],
    ['is shorter than 4 characters', 'abc'],
    ['is shorter than 4 characters', '😀😀😀'],
    ['is longer than 1024 characters', 'x'.repeat(1025)],
  ])('refuses one that %s', (fault, password) => {
    expect(() => checkedPassword(password)).toThrow(new CliError(`The password ${fault}.`));
  });
});

describe('readPassword', () => {
  const none = new CliError('There is no password: type one, pipe one in, or name a --password-file.');

  it('takes the first line of standard input, however it arrives, and does not wait for its end', async () => {
    const stdin = new PassThrough();
    const reading = readPassword(new TestIo(stdin));
    for (const byte of Buffer.from('\ufeffpässwort 1\r\nmore')) {
      stdin.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await reading).toBe('pässwort 1');
  });

  it('reads no more of standard input than could be a password', async () => {
    let pieces = 0;
    const endless = function* () {
      for (;;) {
        pieces++;
        yield Buffer.alloc(1024, 'x');
      }
    };
    const stdin = Readable.from(endless(), { objectMode: false, highWaterMark: 1 });
    expect(await readPassword(new TestIo(stdin))).toBe('x'.repeat(65 * 1024));
    expect(pieces).toBeLessThan(70);
  });

  it.each(['', '\n', '\r\nsecond', '\ufeff\nsecond'])('finds none in %j', async (text) => {
    await expect(readPassword(new TestIo(text))).rejects.toEqual(none);
  });

  it('prefers the file that is named, and says why it cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'password-'));
    try {
      const path = join(folder, 'password');
      await writeFile(path, '\ufeffin a file\r\nsecond');
      const io = new TestIo('in the input');
      expect(await readPassword(io, path)).toBe('in a file');
      await expect(readPassword(io, folder)).rejects.toEqual(
        new CliError(`${folder} cannot be read (EISDIR).`),
      );
      await writeFile(path, '');
      await expect(readPassword(io, path)).rejects.toEqual(none);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['Ctrl-C', ['\u0003'], 'Password: \n'],
    ['Ctrl-D', ['\u0004'], 'Password: \n'],
    ['Ctrl-D the second time', ['secret', '\u0004'], 'Password: \nAgain: \n'],
  ])('is cancelled by %s, in a line that ends', async (_, typed, told) => {
    const io = new TestIo(terminal(...typed));
    await expect(readPassword(io)).rejects.toEqual(new CliError('Cancelled.'));
    expect(io.stderr.text).toBe(told);
  });

  it('asks a terminal twice, and takes the same answer only', async () => {
    const io = new TestIo(terminal(' typed ', ' typed '));
    expect(await readPassword(io)).toBe(' typed ');
    expect(io.stdin.isPaused()).toBe(true);
    expect(io.stderr.text).toBe('Password: \nAgain: \n');
    await expect(readPassword(new TestIo(terminal('typed', 'tyepd')))).rejects.toEqual(
      new CliError('The two passwords differ.'),
    );
  });
});
