const QUERY = 'Q';
const SYNC = 'S';
const FLUSH = 'H';
const COPY_FAIL = 'f';
const PARSE = 'P';
const CLOSE = 'C';
const OTHERS = 'BDE';

/** What of a client's a `Close` means: a portal is gone with its transaction. */
const STATEMENT = 'S';

/**
 * Looks through what a command wants to have run, so that the session it shares is where it was afterwards:
 * whole messages, the last one a query, a `Sync` or, in a part, a `Flush`, and no statement of another
 * client's is made or dropped.
 * @param prefix what the names of the client's own statements begin with
 * @param made called with the name of each statement that is made
 * @throws Error
 */
export function checkGroup(
  bytes: Buffer,
  isPart: boolean,
  prefix: string,
  made: (name: string) => void,
): void {
  let end = '';
  for (let at = 0; at < bytes.length;) {
    const type = String.fromCharCode(bytes[at]!);
    const length = at + 5 <= bytes.length ? bytes.readUInt32BE(at + 1) : 0;
    const next = at + 1 + length;
    if (length < 4 || next > bytes.length) throw new Error('a message has no end');
    const body = bytes.subarray(at + 5, next);
    // Behind a query stands at most the answer to a COPY.
    if (end !== '' && !(end === QUERY && type === COPY_FAIL)) throw new Error('a message behind the end');
    if (type === PARSE) checkName(body, prefix, made);
    else if (type === CLOSE) {
      if (String.fromCharCode(body[0] ?? 0) === STATEMENT) checkName(body.subarray(1), prefix);
    } else if (type === QUERY || type === SYNC || type === FLUSH) end = type;
    else if (type !== COPY_FAIL && !OTHERS.includes(type)) throw new Error(`a message ${type}`);
    at = next;
  }
  if (isPart ? end !== FLUSH : end !== QUERY && end !== SYNC) throw new Error('a group without an end');
}

function checkName(body: Buffer, prefix: string, made?: (name: string) => void): void {
  const end = body.indexOf(0);
  const name = body.toString('utf8', 0, end < 0 ? body.length : end);
  if (name === '') return;
  if (!name.startsWith(prefix)) throw new Error('a statement of another client');
  made?.(name);
}
