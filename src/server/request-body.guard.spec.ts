import type { ExecutionContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Readable } from 'node:stream';
import type { RouteMetadata } from '../common/http/route-metadata';
import { LargeBodies } from './large-bodies';
import { RequestBodyGuard } from './request-body.guard';

/** When each of these bodies has been read, in turns of the event loop from now. */
async function turnsOfReading(bodies: string[]): Promise<number[]> {
  const metadata = { getAllAndOverride: () => false } as unknown as RouteMetadata;
  const largeBodies = new LargeBodies({ now: () => 0, elapsed: () => 0 });
  const guard = new RequestBodyGuard(metadata, largeBodies, new ModulesContainer(), []);
  let turn = 0;
  let done = false;
  const count = () => {
    turn += 1;
    if (!done) setImmediate(count);
  };
  const read = async (body: string) => {
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const request = Object.assign(Readable.from([Buffer.from(body)]), { headers, method: 'POST', url: '/' });
    const context = {
      switchToHttp: () => ({ getRequest: () => request }),
      getHandler: () => undefined,
      getClass: () => undefined,
    };
    expect(await guard.canActivate(context as unknown as ExecutionContext)).toBe(true);
    return turn;
  };
  setImmediate(count);
  const turns = await Promise.all(bodies.map(read));
  done = true;
  return turns;
}

const four = (size: number) => Array.from({ length: 4 }, () => JSON.stringify({ text: 'x'.repeat(size) }));

describe('RequestBodyGuard', () => {
  it('lets large bodies be worked on in turns of the event loop of their own', async () => {
    const turns = await turnsOfReading(four(10_000));
    expect(new Set(turns).size).toBe(4);
    expect(turns).toEqual(turns.toSorted((x, y) => x - y));
  });

  it('does not hold up small ones', async () => {
    expect(new Set(await turnsOfReading(four(1000))).size).toBe(1);
  });
});
