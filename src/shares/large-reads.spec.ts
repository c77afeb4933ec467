import { Clock } from '../common/clock';
import { JsonText } from '../common/json-text';
import { HeavyWork } from './heavy-work';
import { LargeReads } from './large-reads';

const ID = '0193a3c4-0000-7000-8000-00000000abcd';
const LARGE = new JsonText('x'.repeat(64 * 1024));
const SMALL = new JsonText('x'.repeat(64 * 1024 - 1));
const caller = { client: 'user|lin' };

describe('LargeReads', () => {
  let work: HeavyWork;
  let reads: LargeReads;
  beforeEach(() => {
    work = new HeavyWork({ database: { kind: 'server', url: '' }, databasePoolSize: 20 }, new Clock());
    reads = new LargeReads(work);
  });

  /** @returns whether the reading had a turn */
  async function hadTurn(id: string, json: JsonText): Promise<boolean> {
    let turns = 0;
    const read = () => {
      turns = work.turnsOf('reading').size;
      return Promise.resolve(json);
    };
    expect(await reads.read('reading', id, caller, read)).toBe(json);
    return turns === 1;
  }

  it('takes a turn from the second reading of a large record on', async () => {
    expect(await hadTurn(ID, LARGE)).toBe(false);
    expect(await hadTurn(ID, LARGE)).toBe(true);
    expect(await hadTurn(ID.toUpperCase(), LARGE)).toBe(true);
    expect(await hadTurn('another', LARGE)).toBe(false);
    expect(work.turnsOf('reading').size).toBe(0);
  });

  it('takes none any more when it has become small', async () => {
    for (const [json, expected] of [
      [LARGE, false],
      [SMALL, true],
      [SMALL, false],
    ] as const) {
      expect(await hadTurn(ID, json)).toBe(expected);
    }
  });

  it('tells what the reading throws, and remembers nothing of it', async () => {
    const fault = new Error('gone');
    await expect(reads.read('reading', ID, caller, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(await hadTurn(ID, SMALL)).toBe(false);
  });

  it('asks for turns of the kind that it is told', async () => {
    const kinds: number[][] = [];
    for (let n = 0; n < 2; n++) {
      await reads.read('catalogue', ID, caller, () => {
        kinds.push([work.turnsOf('reading').size, work.turnsOf('catalogue').size]);
        return Promise.resolve(LARGE);
      });
    }
    expect(kinds).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });

  it('is refused inside another turn, whatever the size', async () => {
    const read = jest.fn();
    const inside = work.run('search', caller, () => reads.read('reading', ID, caller, read));
    await expect(inside).rejects.toThrow('"reading" is asked for inside one of "search"');
    expect(read).not.toHaveBeenCalled();
  });

  it('remembers a bounded number', async () => {
    for (let n = 0; n < 50_000; n++)
      await reads.read('reading', `${n}`, caller, () => Promise.resolve(LARGE));
    expect(await hadTurn('0', LARGE)).toBe(false);
    expect(await hadTurn('49999', LARGE)).toBe(true);
  });
});
