import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { passwordProblem } from '../users/credentials.dto';
import { CliError, type CliIo, Options } from './cli-io';

/** The option of every command that reads a password. */
export const PasswordFileOption = () =>
  Options({
    flags: '--password-file <file>',
    description: 'read the password from the first line of a file',
  });

/**
 * Reads a password, never from the command line, where other users of the machine could see it: from a file,
 * otherwise twice from a terminal, otherwise from the first line of standard input.
 * @throws CliError if the file cannot be read, the two entries differ, or there is no password
 */
export async function readPassword(io: CliIo, file?: string): Promise<string> {
  if (file !== undefined) return firstLine(await fileText(file));
  if (io.stdin.isTTY !== true) return firstLine(await inputText(io));
  const password = await ask(io, 'Password: ');
  if ((await ask(io, 'Again: ')) !== password) throw new CliError('The two passwords differ.');
  return password;
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CliError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
    );
  }
}

async function inputText(io: CliIo): Promise<string> {
  let text = '';
  io.stdin.setEncoding('utf8');
  for await (const chunk of io.stdin) {
    text += String(chunk);
    // Much longer than any password. More input is a wrong file or an endless pipe.
    if (text.includes('\n') || text.length > 64 * 1024) break;
  }
  return text;
}

function firstLine(text: string): string {
  const [line = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  if (line === '')
    throw new CliError('There is no password: type one, pipe one in, or name a --password-file.');
  return line;
}

/**
 * Asks a question on the terminal without showing the input.
 * @throws CliError if the user cancels
 */
export async function ask(io: CliIo, question: string): Promise<string> {
  io.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: io.stdin, output: nowhere, terminal: true });
  // The user cancels with Ctrl-C or Ctrl-D.
  const refusal = new Promise<never>((_resolve, reject) => {
    terminal.once('SIGINT', () => reject(new CliError('Cancelled.')));
    terminal.once('close', () => reject(new CliError('Cancelled.')));
  });
  try {
    return await Promise.race([terminal.question(''), refusal]);
  } finally {
    terminal.removeAllListeners('close');
    terminal.close();
    io.stderr.write('\n');
  }
}

/**
 * Applies the same rules as registration.
 * @throws CliError naming the broken rule
 */
export function checkedPassword(password: string): string {
  const problem = passwordProblem(password);
  if (problem) throw new CliError(`The password ${problem}.`);
  return password;
}
