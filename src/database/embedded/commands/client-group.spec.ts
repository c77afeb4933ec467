import { serialize } from 'pg-protocol';
import { checkGroup } from './client-group';

const query = serialize.query('SELECT 1');
const sync = serialize.sync();
const flush = serialize.flush();
const parse = (name: string) => serialize.parse({ name, text: 'SELECT 1' });
const close = (name: string) => serialize.close({ type: 'S', name });
const copyFail = serialize.copyFail('none');

const made = (parts: Buffer[], isPart = false) => {
  const names: string[] = [];
  checkGroup(Buffer.concat(parts), isPart, 's7_', (name) => void names.push(name));
  return names;
};

describe('checkGroup', () => {
  it.each<[string, Buffer[], boolean, string[]]>([
    ['a query', [query], false, []],
    ['a query that reads no data', [query, copyFail], false, []],
    ['an unnamed statement', [parse(''), serialize.bind({}), serialize.execute({}), sync], false, []],
    ['a statement', [close('s7_1'), parse('s7_1'), serialize.describe({ type: 'P' }), sync], false, ['s7_1']],
    ['the end of statements', [close('s7_1'), query], false, []],
    ['the end of a portal', [serialize.close({ type: 'P', name: 'any' }), sync], false, []],
    ['a part', [serialize.execute({ rows: 1 }), flush], true, []],
  ])('lets %s through', (_, parts, isPart, names) => {
    expect(made(parts, isPart)).toEqual(names);
  });

  it.each<[string, Buffer[], boolean]>([
    ['nothing', [], false],
    ['no messages', [Buffer.from('rubbish')], false],
    ['a head alone', [Buffer.from('Q')], false],
    ['a length that is none', [Buffer.from([81, 0, 0, 0, 3])], false],
    ['a length beyond all', [Buffer.from([81, 255, 255, 255, 255])], false],
    ['a message without its end', [query.subarray(0, -1)], false],
    ['no end', [parse('')], false],
    ['a part with the end of a whole', [query], true],
    ['a whole with the end of a part', [parse(''), flush], false],
    ['two queries', [query, query], false],
    ['what comes behind a Sync', [sync, copyFail], false],
    ['the end of the session', [serialize.end()], false],
    ['data of a COPY', [serialize.copyData(Buffer.from('x')), sync], false],
    ['another client’s statement', [parse('s1_1'), sync], false],
    ['one whose name begins alike', [parse('s77_1'), sync], false],
    ['the end of another client’s statement', [close('s1_1'), sync], false],
  ])('refuses %s', (_, parts, isPart) => {
    expect(() => made(parts, isPart)).toThrow();
  });
});
