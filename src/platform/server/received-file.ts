import { createWriteStream, writeFile } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import multer, { diskStorage, MulterError } from 'multer';
import { FILE_TYPES, FORM_FIELD, FORM_TYPE, MAX_FILE_BYTES, type ReceivedFile } from '../http/accepts-file';
import { onceHandled } from '../http/answer-closed';
import { InvalidInputError } from '../common/errors/service-error';
import { text } from '../texts/text';
import { BodyError, contentTypeOf, continueReading, JSON_TYPE, refuseEncoding } from './request-body';

const FILE_TYPE_NAMES: ReadonlySet<string> = new Set([...FILE_TYPES, JSON_TYPE]);

/** A few text fields are read so that they can be refused: parameters such as `dryRun` would be ignored there. */
const FORM_LIMITS = { fileSize: MAX_FILE_BYTES, files: 1, fields: 16, parts: 17, fieldSize: 1024 };

/**
 * Writes the file in a request's body to a temporary file, which is removed when the request has been handled. Node's
 * `requestTimeout` bounds the time.
 * @throws BodyError 413 or 415; InvalidInputError for a form without the file
 */
export async function receiveFile(request: Request, response: Response): Promise<ReceivedFile> {
  const { type, charset } = contentTypeOf(request);
  if (type !== FORM_TYPE && !FILE_TYPE_NAMES.has(type)) throw new BodyError(415, text('body.not-a-file'));
  refuseEncoding(request);
  if (
    Number(request.headers['content-length']) >
    MAX_FILE_BYTES + FORM_LIMITS.parts * FORM_LIMITS.fieldSize
  ) {
    throw fileTooLarge();
  }
  continueReading(request);
  const file = await (type === FORM_TYPE ? receiveForm : receiveBody)(request, response);
  return type === 'text/csv' ? { ...file, charset } : file;
}

/** Other users of the machine must not read or replace the files. */
const PRIVATE = { flag: 'wx', mode: 0o600 };

/** Process ids mean something only on their own machine, and containers share folders. */
const FILE_PREFIX = `formula-upload-${hostname()}-`;

const newPath = () => join(tmpdir(), `${FILE_PREFIX}${process.pid}-${randomUUID()}`);

/** Removes the files that processes of this machine left behind when they were killed. */
export async function removeAbandonedFiles(): Promise<void> {
  const names = (await readdir(tmpdir()).catch((): string[] => [])).filter((name) =>
    name.startsWith(FILE_PREFIX),
  );
  for (const name of names) {
    const path = join(tmpdir(), name);
    const owner = Number.parseInt(name.slice(FILE_PREFIX.length), 10);
    if (await isAbandoned(path, owner)) await remove(path);
  }
}

/** In a container, the process often has the id of its predecessor. */
async function isAbandoned(path: string, owner: number): Promise<boolean> {
  if (owner === process.pid) {
    return stat(path).then(
      ({ mtimeMs }) => mtimeMs < performance.timeOrigin,
      () => false,
    );
  }
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    // Any other error: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const remove = (path: string) => rm(path, { force: true }).catch(() => undefined);

const removeWhenHandled = (response: Response, path: string) =>
  onceHandled(response, () => void remove(path));

async function receiveBody(request: Request, response: Response): Promise<ReceivedFile> {
  const path = newPath();
  removeWhenHandled(response, path);
  let size = 0;
  // `destroyOnReturn: false`, because a destroyed request cannot be answered.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  const count = async function* () {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > MAX_FILE_BYTES) throw fileTooLarge();
      yield chunk;
    }
  };
  try {
    await pipeline(count, createWriteStream(path, { flags: PRIVATE.flag, mode: PRIVATE.mode }));
  } catch (error) {
    // The client has disconnected, so nobody reads this answer.
    throw request.errored ? malformed() : error;
  }
  return { path, size };
}

function receiveForm(request: Request, response: Response): Promise<ReceivedFile> {
  const storage = diskStorage({
    destination: tmpdir(),
    // Multer itself would create the file readable for everybody; it keeps the mode of one that exists.
    filename: (_request, _file, done) => {
      const path = newPath();
      removeWhenHandled(response, path);
      writeFile(path, '', PRIVATE, (error) => done(error, basename(path)));
    },
  });
  const receive = multer({ storage, limits: FORM_LIMITS }).single(FORM_FIELD);
  return new Promise((resolve, reject) => {
    receive(request, response, (error: unknown) => {
      const { file } = request;
      if (error) return reject(formFault(error));
      if (!file) return reject(noFile());
      const [field] = Object.keys((request.body ?? {}) as object);
      if (field !== undefined) return reject(formField(field));
      // Multer reads the bytes of a name as Latin-1.
      const name = Buffer.from(file.originalname, 'latin1').toString('utf8');
      resolve({ path: file.path, size: file.size, name });
    });
  });
}

const fileTooLarge = () =>
  new BodyError(413, text('body.file-too-large', { megabytes: MAX_FILE_BYTES / 1024 / 1024 }));
const malformed = () => new InvalidInputError(text('request.malformed'));
const formField = (field: string) => InvalidInputError.of([{ field, message: text('file.form-field') }]);
const noFile = () => InvalidInputError.of([{ field: FORM_FIELD, message: text('file.missing') }]);

function formFault(error: unknown): Error {
  const { code } = error instanceof MulterError ? error : {};
  if (code === 'LIMIT_FILE_SIZE') return fileTooLarge();
  return code === 'LIMIT_UNEXPECTED_FILE' ? noFile() : malformed();
}
