import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ConcurrencyLimiter } from '../../platform/request-limits/concurrency-limiter';
import type { FileFormat } from '../../files/writing/export-pieces';
import type { Pieces } from '../../files/writing/file-pieces';

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Answers with files that are written while they are read from the database. */
@Injectable()
export class SendsFiles {
  constructor(private readonly limiter: ConcurrencyLimiter) {}

  /**
   * Sends a file as fast as the client takes it, one per client at a time. A failure before the first piece is an
   * answer of its own; a later one breaks the connection, so that a part never looks complete. When the client
   * leaves, no further piece is made.
   */
  async send(response: Response, name: string, format: FileFormat, pieces: () => Pieces): Promise<void> {
    await this.limiter.run('exports', async () => {
      const source = this.inLane(pieces());
      const first = await source.next();
      response.setHeader(
        'Content-Type',
        format === 'xlsx' ? FILE_TYPES.xlsx : `${FILE_TYPES[format]}; charset=utf-8`,
      );
      response.setHeader('Content-Disposition', `attachment; filename="${name}.${format}"`);
      response.setHeader('Cache-Control', 'no-store');
      try {
        await pipeline(
          Readable.from(continued(first, source), { objectMode: true, highWaterMark: 1 }),
          response,
        );
      } catch (error) {
        if (!hasLeft(error)) throw error;
      }
    });
  }

  /** Each piece has its turn among the other long reads of the database; none is held while the client reads. */
  private async *inLane(pieces: Pieces): Pieces {
    try {
      for (;;) {
        const piece = await this.limiter.run('reading', () => pieces.next());
        if (piece.done) return;
        yield piece.value;
        await setImmediate();
      }
    } finally {
      await pieces.return(undefined);
    }
  }
}

async function* continued(first: IteratorResult<string | Uint8Array, unknown>, rest: Pieces): Pieces {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

const hasLeft = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
