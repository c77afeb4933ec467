import type { IncomingMessage } from 'node:http';
import { TextDecoder } from 'node:util';
import { holdsTooManyValues } from '../common/http/request-content';
import { askForBody } from './expect-continue';

/** Why a body was not read, for its sender to be told. */
export type BodyFault = 'too-large' | 'too-slow' | 'not-json' | 'encoding' | 'broken' | 'too-many-values';

export interface BodyBounds {
  readonly bytes: number;
  /** Absent: as long as the server waits for any request. */
  readonly milliseconds?: number;
}

export class UnreadableBodyError extends Error {
  override readonly name = 'UnreadableBodyError';
  constructor(readonly fault: BodyFault) {
    super(fault);
  }
}

/** Even a body of no bytes: its content type and encoding count, too. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

/**
 * The JSON in a request's body; undefined where there is none. A body that is larger than it may be is left
 * where it is: nobody waits for the rest of it.
 * @param bounds most bytes, and how long they may take to arrive
 * @throws UnreadableBodyError
 */
export async function readJsonBody(request: IncomingMessage, bounds: BodyBounds): Promise<unknown> {
  const { headers } = request;
  const encoding = headers['content-encoding'] ?? '';
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') throw new UnreadableBodyError('encoding');
  const announced = Number(headers['content-length']);
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    if (announced === 0) return undefined;
    throw new UnreadableBodyError('not-json');
  }
  const decoder = decoderOf(parameters);
  if (announced > bounds.bytes) throw new UnreadableBodyError('too-large');
  askForBody(request);
  const bytes = await readBytes(request, bounds);
  const text = decoder.decode(bytes);
  if (text === '') return {};
  if (holdsTooManyValues(text)) throw new UnreadableBodyError('too-many-values');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnreadableBodyError('broken');
  }
}

/** Made once: a decoder takes longer to make than a body to decode. */
const UTF_8 = new TextDecoder('utf-8');

/** JSON is Unicode; UTF-8 where nothing is said. */
function decoderOf(parameters: readonly string[]): TextDecoder {
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^\s"]*)/.exec(parameter)?.[1]);
  const named = charset.find((name) => name !== undefined) ?? 'utf-8';
  if (named === 'utf-8') return UTF_8;
  try {
    if (named.startsWith('utf-')) return new TextDecoder(named);
  } catch {
    // One that nobody knows.
  }
  throw new UnreadableBodyError('encoding');
}

function readBytes(request: IncomingMessage, { bytes, milliseconds }: BodyBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      request.off('data', take).off('end', complete).off('error', breakOff).off('close', breakOff);
      outcome();
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytes) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      settle(() => reject(new UnreadableBodyError('too-large')));
    };
    const complete = () => settle(() => resolve(Buffer.concat(chunks, length)));
    // The client went away: nobody reads what is thrown.
    const breakOff = () => settle(() => reject(new UnreadableBodyError('broken')));
    const giveUp = () => settle(() => reject(new UnreadableBodyError('too-slow')));
    const timer = milliseconds === undefined ? undefined : setTimeout(giveUp, milliseconds);
    request.on('data', take).on('end', complete).on('error', breakOff).on('close', breakOff);
    // Gone before anybody listened.
    if (request.destroyed && !request.readableEnded) breakOff();
  });
}
