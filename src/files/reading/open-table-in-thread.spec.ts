import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { TableError, type TableRow } from './table';
import { openTableInThread } from './open-table-in-thread';

/** A worker that says what the test has it say. */
class MockWorker extends EventEmitter {
  readonly terminate = jest.fn(() => Promise.resolve(1));
}
jest.mock('node:worker_threads', () => ({ Worker: jest.fn(() => new MockWorker()) }));
jest.mock('node:fs', () => ({ ...jest.requireActual<object>('node:fs'), existsSync: jest.fn(() => true) }));

const content = Buffer.from('name\nA\n');
const options = { columns: [{ field: 'name', aliases: [], required: true }], choices: [] };
const row = (line: number): TableRow => ({ line, cells: ['A'] });

function begin() {
  const opening = openTableInThread(content, options);
  opening.catch(() => undefined);
  const worker = jest.mocked(Worker).mock.results.at(-1)!.value as MockWorker;
  return { opening, worker, say: (message: object) => worker.emit('message', message) };
}

afterEach(() => jest.useRealTimers());

it('gives the thread the file and what is looked for, and a bound on its memory', () => {
  const { say } = begin();
  expect(jest.mocked(Worker).mock.lastCall).toEqual([
    expect.stringMatching(/reading.table\.worker\.js$/),
    { workerData: { content, options }, resourceLimits: { maxOldGenerationSizeMb: 768 } },
  ]);
  say({ fault: 'done' });
});

it('the table has the rows of all messages, in their order', async () => {
  const { opening, worker, say } = begin();
  say({ table: { header: ['name'], notes: ['n'], separator: ',' } });
  say({ rows: [row(2), row(3)] });
  say({ rows: [row(4)] });
  say({ isEnd: true });
  const { rows, ...table } = await opening;
  expect(table).toEqual({ header: ['name'], notes: ['n'], separator: ',' });
  const read: number[] = [];
  for await (const { line } of rows) read.push(line);
  expect(read).toEqual([2, 3, 4]);
  expect(worker.terminate).toHaveBeenCalled();
});

it('a file that cannot be read is the fault of its sender', async () => {
  const { opening, worker, say } = begin();
  say({ fault: 'The file is empty.' });
  await expect(opening).rejects.toEqual(new TableError('The file is empty.'));
  expect(worker.terminate).toHaveBeenCalled();
});

it('so is one that takes too much memory or time', async () => {
  const tooDemanding = new TableError('The file takes too much time or memory: split it.');
  const large = begin();
  large.worker.emit('error', Object.assign(new Error('x'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
  await expect(large.opening).rejects.toEqual(tooDemanding);

  jest.useFakeTimers();
  const slow = begin();
  jest.advanceTimersByTime(60_000);
  await expect(slow.opening).rejects.toEqual(tooDemanding);
  expect(slow.worker.terminate).toHaveBeenCalled();
});

it('any other error is ours', async () => {
  const { opening, worker } = begin();
  worker.emit('error', new Error('x'));
  await expect(opening).rejects.toEqual(new Error('x'));
});

it('where there is no compiled thread it reads by itself', async () => {
  jest.mocked(existsSync).mockReturnValueOnce(false);
  const started = jest.mocked(Worker).mock.calls.length;
  expect((await openTableInThread(content, options)).header).toEqual(['name']);
  expect(jest.mocked(Worker).mock.calls).toHaveLength(started);
});
