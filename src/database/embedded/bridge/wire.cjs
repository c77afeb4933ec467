// @ts-check
'use strict';

/**
 * The few facts of the PostgreSQL wire protocol (version 3) that the bridge needs: where one message ends and the
 * next begins, which messages belong together, and how to build the handful of messages it answers itself.
 * Plain CommonJS without dependencies, because a worker thread, a compiled build and jest all load this very file.
 */

/** Message types a client sends, as byte codes. */
const Frontend = Object.freeze({
  Bind: 0x42,
  Close: 0x43,
  CopyData: 0x64,
  CopyDone: 0x63,
  CopyFail: 0x66,
  Describe: 0x44,
  Execute: 0x45,
  Flush: 0x48,
  FunctionCall: 0x46,
  Parse: 0x50,
  Password: 0x70,
  Query: 0x51,
  Sync: 0x53,
  Terminate: 0x58,
});

/** Message types a server sends, as byte codes. */
const Backend = Object.freeze({
  CloseComplete: 0x33,
  CommandComplete: 0x43,
  CopyInResponse: 0x47,
  DataRow: 0x44,
  ErrorResponse: 0x45,
  ParameterStatus: 0x53,
  ParseComplete: 0x31,
  ReadyForQuery: 0x5a,
});

const PROTOCOL_3_0 = 0x00030000;
const SSL_REQUEST = 80877103;
const GSS_ENCRYPTION_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;

/** No client of ours sends a larger message; a length above it means that the stream is out of step. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** The client broke the protocol; its connection cannot be used any further. */
class ProtocolViolation extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'ProtocolViolation';
  }
}

/**
 * Cuts a byte stream into typed messages, wherever the chunks happen to end.
 * Messages are views of the chunks where possible: do not write into them.
 */
class MessageCutter {
  constructor() {
    /** @type {Buffer[]} */
    this.chunks = [];
    this.available = 0;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    if (chunk.byteLength === 0) return;
    this.chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.available += chunk.byteLength;
  }

  /**
   * The next start-up packet (which has no type byte), or undefined when it is not complete yet.
   * @returns {Buffer | undefined}
   */
  nextStartupPacket() {
    if (this.available < 4) return undefined;
    const length = this.peek(4).readInt32BE(0);
    if (length < 8 || length > 10_000)
      throw new ProtocolViolation(`invalid start-up packet length ${length}`);
    return this.available < length ? undefined : this.take(length);
  }

  /**
   * The next typed message with its type byte and length, or undefined when it is not complete yet.
   * @returns {Buffer | undefined}
   */
  nextMessage() {
    if (this.available < 5) return undefined;
    const length = this.peek(5).readInt32BE(1);
    if (length < 4 || length > MAX_MESSAGE_BYTES)
      throw new ProtocolViolation(`invalid message length ${length}`);
    return this.available < length + 1 ? undefined : this.take(length + 1);
  }

  /** @param {number} count */
  peek(count) {
    const first = this.chunks[0] ?? EMPTY;
    if (first.length >= count) return first;
    this.chunks = [Buffer.concat(this.chunks)];
    return /** @type {Buffer} */ (this.chunks[0]);
  }

  /** @param {number} count */
  take(count) {
    const whole = this.peek(count);
    const message = whole.subarray(0, count);
    if (whole.length === count) this.chunks.shift();
    else this.chunks[0] = whole.subarray(count);
    this.available -= count;
    return message;
  }
}

/**
 * Calls `visit` for every complete message of a server answer.
 * @param {Buffer} bytes
 * @param {(type: number, message: Buffer) => void} visit
 */
function eachMessage(bytes, visit) {
  let offset = 0;
  while (offset + 5 <= bytes.length) {
    const end = offset + 1 + bytes.readInt32BE(offset + 1);
    visit(/** @type {number} */ (bytes[offset]), bytes.subarray(offset, end));
    offset = end;
  }
}

/**
 * The rows of a simple query's answer, every value as text.
 * @param {Buffer} output
 * @returns {(string | null)[][]}
 */
function readRows(output) {
  /** @type {(string | null)[][]} */
  const rows = [];
  eachMessage(output, (type, row) => {
    if (type !== Backend.DataRow) return;
    /** @type {(string | null)[]} */
    const values = [];
    let offset = 7;
    for (let column = row.readInt16BE(5); column > 0; column -= 1) {
      const length = row.readInt32BE(offset);
      offset += 4;
      values.push(length < 0 ? null : row.toString('utf8', offset, offset + length));
      offset += Math.max(length, 0);
    }
    rows.push(values);
  });
  return rows;
}

/**
 * The text of the first error in an answer, if there is one.
 * @param {Buffer} output
 * @returns {string | undefined}
 */
function readError(output) {
  /** @type {string | undefined} */
  let text;
  eachMessage(output, (type, reply) => {
    if (type !== Backend.ErrorResponse || text !== undefined) return;
    const fields = reply.toString('utf8', 5).split('\0');
    text = fields.find((field) => field.startsWith('M'))?.slice(1) ?? 'unknown error';
  });
  return text;
}

/**
 * Names the types of a server answer's messages as its chunks pass by, without keeping them.
 */
class ReplyScanner {
  /** @param {(type: number) => void} visit */
  constructor(visit) {
    this.visit = visit;
    this.head = EMPTY;
    this.skip = 0;
  }

  /** @param {Buffer} chunk */
  push(chunk) {
    let rest = this.head.length > 0 ? Buffer.concat([this.head, chunk]) : chunk;
    this.head = EMPTY;
    while (rest.length > 0) {
      if (this.skip > 0) {
        const skipped = Math.min(this.skip, rest.length);
        this.skip -= skipped;
        rest = rest.subarray(skipped);
      } else if (rest.length < 5) {
        this.head = Buffer.from(rest);
        return;
      } else {
        this.visit(/** @type {number} */ (rest[0]));
        this.skip = rest.readInt32BE(1) + 1;
      }
    }
  }
}

/**
 * @param {number} type
 * @param {Uint8Array[]} parts
 */
function message(type, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 4);
  const head = Buffer.allocUnsafe(5);
  head[0] = type;
  head.writeInt32BE(length, 1);
  return Buffer.concat([head, ...parts]);
}

/** @param {string} text */
const cString = (text) => Buffer.from(`${text}\0`, 'utf8');

/** @param {number} value */
function int32(value) {
  const buffer = Buffer.allocUnsafe(4);
  buffer.writeInt32BE(value, 0);
  return buffer;
}

/**
 * The text that starts at `offset` and ends before the next zero byte.
 * @param {Buffer} buffer
 * @param {number} offset
 * @returns {{ text: string, end: number }} `end` is the offset behind the zero byte
 */
function readCString(buffer, offset) {
  const zero = buffer.indexOf(0, offset);
  if (zero < 0) throw new ProtocolViolation('unterminated string');
  return { text: buffer.toString('utf8', offset, zero), end: zero + 1 };
}

/**
 * @param {string} sql
 * @returns {Buffer}
 */
const query = (sql) => message(Frontend.Query, cString(sql));

const sync = () => message(Frontend.Sync);

const flush = () => message(Frontend.Flush);

/** @param {string} name */
const closeStatement = (name) => message(Frontend.Close, Buffer.from('S'), cString(name));

/**
 * A server-side error as a client reads it.
 * @param {'ERROR' | 'FATAL'} severity
 * @param {string} code SQLSTATE
 * @param {string} text
 * @param {string} [hint]
 */
function errorResponse(severity, code, text, hint) {
  const fields = [cString(`S${severity}`), cString(`V${severity}`), cString(`C${code}`), cString(`M${text}`)];
  if (hint) fields.push(cString(`H${hint}`));
  return message(Backend.ErrorResponse, ...fields, Buffer.from([0]));
}

/** @param {string} status 'I' idle, 'T' in a transaction, 'E' in a failed transaction */
const readyForQuery = (status) => message(Backend.ReadyForQuery, Buffer.from(status));

const authenticationOk = () => message(0x52, int32(0));

/**
 * @param {number} processId
 * @param {number} secret
 */
const backendKeyData = (processId, secret) => message(0x4b, int32(processId), int32(secret));

/** @param {number} newestMinor */
const negotiateProtocolVersion = (newestMinor) => message(0x76, int32(newestMinor), int32(0));

/** "Send me your COPY data": text format, number of columns left open, as clients do not look at it. */
const copyInResponse = () => message(Backend.CopyInResponse, Buffer.from([0, 0, 0]));

const COPY_FROM_STDIN = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*copy\b[^;]*?\bfrom\s+stdin\b/i;

/**
 * True when a simple query is one COPY … FROM STDIN, which needs the client's data before it can run.
 * @param {Buffer} queryMessage
 */
function isCopyFromStdin(queryMessage) {
  // Cheap test first: every query passes here.
  const head = queryMessage.toString('latin1', 5, Math.min(queryMessage.length, 4096));
  return /copy/i.test(head) && COPY_FROM_STDIN.test(head);
}

module.exports = {
  Backend,
  CANCEL_REQUEST,
  Frontend,
  GSS_ENCRYPTION_REQUEST,
  MessageCutter,
  PROTOCOL_3_0,
  ProtocolViolation,
  ReplyScanner,
  SSL_REQUEST,
  authenticationOk,
  backendKeyData,
  cString,
  closeStatement,
  copyInResponse,
  eachMessage,
  errorResponse,
  flush,
  isCopyFromStdin,
  message,
  negotiateProtocolVersion,
  query,
  readCString,
  readError,
  readRows,
  readyForQuery,
  sync,
};
