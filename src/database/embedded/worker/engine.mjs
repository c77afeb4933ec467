// @ts-check

/** The exit status by which PGlite says "a PostgreSQL error was raised", which is business as usual. */
const LONGJMP_STATUS = 100;

/** Output is handed on in pieces of about this size (bytes), or at the end of a group. */
const PIECE_BYTES = 64 * 1024;

/**
 * PGlite, run synchronously. It catches every exception while it runs messages; those that are no PostgreSQL
 * errors (a trap in the machine code, an exit of the session) are caught here before.
 * @param {import('@electric-sql/pglite').PGlite} pg
 * @param {(error: unknown) => never} die
 * @returns {import('./session.cjs').Engine}
 */
export function engineOf(pg, die) {
  const module = /** @type {any} */ (pg.Module);
  const step = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      return step();
    } catch (error) {
      if (/** @type {any} */ (error)?.status !== LONGJMP_STATUS) die(error);
      throw error;
    }
  };
  return {
    execute: (bytes, onOutput) => {
      /** @type {Uint8Array[]} */
      let pieces = [];
      let size = 0;
      const handOn = () => {
        if (size > 0) onOutput(joined(pieces, size));
        pieces = [];
        size = 0;
      };
      pg.execProtocolRawStream(bytes, {
        syncToFs: false,
        // The bytes lie in the machine's memory and are overwritten by what comes next: copy them.
        onRawData: (data) => {
          pieces.push(data.slice());
          size += data.byteLength;
          if (size >= PIECE_BYTES) handOn();
        },
      }).catch(die);
      handOn();
    },
    isInTransaction: () => pg.isInTransaction(),
  };
}

/**
 * @param {Uint8Array[]} pieces
 * @param {number} size
 * @returns {Uint8Array} one that fills its buffer, so that it can be sent to another thread
 */
function joined(pieces, size) {
  if (pieces.length === 1) return /** @type {Uint8Array} */ (pieces[0]);
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
