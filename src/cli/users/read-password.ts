import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Option } from 'nest-commander';
import { passwordProblem } from '../../auth/credential-rules';
import { CliError } from '../cli-error';
import type { CliIo } from '../cli-io';

/** Far above any password; more is a wrong file or a runaway pipe. */
const MAX_CHARACTERS = 64 * 1024;

/** The option of every command that asks for a password. */
export const PasswordFileOption = () =>
  Option({ flags: '--password-file <file>', description: 'read the password from the first line of a file' });

/**
 * A password, never from the command line, where other users of the machine could see it: from a file, else
 * asked for twice on a terminal, else the first line of standard input.
 * @throws CliError when the file cannot be read, the two differ, or there is none
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
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break;
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
 * Asks on the terminal without showing what is typed.
 * @throws CliError when whoever is asked does not want to answer
 */
export async function ask(io: CliIo, question: string): Promise<string> {
  io.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: io.stdin, output: nowhere, terminal: true });
  // Ctrl-C and Ctrl-D: whoever is asked does not want to answer.
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
 * The same rules as for a registration.
 * @throws CliError naming the rule that is broken
 */
export function checkedPassword(password: string): string {
  const problem = passwordProblem(password);
  if (problem) throw new CliError(`The password ${problem}.`);
  return password;
}
