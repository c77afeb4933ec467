import { ReadAccess } from './read-access';
import { mayRead } from './readable';

const KINDS = new Set(['formula', 'project', 'batch']);
const byTeam = ReadAccess.by(
  new Map([
    ['formula', (row: string, [user, team]: readonly string[]) => `${row}.a = ${team} OR ${row}.b = ${user}`],
    ['batch', (row: string, [, team]: readonly string[]) => `${row}.c = ${team}`],
  ]),
  KINDS,
  ['uuid', 'text[]'],
);
const access = byTeam(['me', ['x']]);

const read = (text: string, name?: string) => ({ name, text, group: 'g' });

describe('ReadAccess', () => {
  it('puts conditions in brackets where they belong, with the values behind those of the statement', () => {
    const statement = read(
      `SELECT $2 WHERE ${mayRead('formula', 'f')} AND $1 OR ${mayRead('batch', 'b')}`,
      'n',
    );
    const [asked, values] = access.reading(statement, [1, 2]);
    expect(asked).toEqual({
      name: 'n:readable',
      group: 'g',
      text: 'SELECT $2 WHERE (f.a = $3::text[] OR f.b = $4::uuid) AND $1 OR (b.c = $3::text[])',
      conditionsOf: 'formula, batch',
    });
    expect(values).toEqual([1, 2, ['x'], 'me']);
  });

  it('counts parameters of two digits', () => {
    const [{ text }] = access.reading(read(`$9 $10 ${mayRead('batch', 'b')}`), Array(10).fill(0));
    expect(text).toBe('$9 $10 (b.c = $11::text[])');
  });

  it('sends no value that the statement does not ask for', () => {
    const statement = read(`WHERE ${mayRead('project', 'p')}`);
    const asked = { ...statement, text: 'WHERE (true)', conditionsOf: 'project' };
    expect(access.reading(statement)).toEqual([asked, []]);
    expect(access.readingById(statement, 'id')[2]).toEqual([]);
    expect(access.readingById(read(mayRead('batch', 'b')), 'id').slice(1)).toEqual(['id', [['x']]]);
  });

  it('writes a text once for all callers', () => {
    const statement = read(mayRead('batch', 'b'), 'once');
    const [first] = access.reading(statement);
    const [second, values] = byTeam(['you', []]).reading(statement);
    expect(second).toBe(first);
    expect(values).toEqual([[]]);
  });

  it('takes another text under a known name for what it is', () => {
    const first = read(`SELECT 1 WHERE ${mayRead('batch', 'b')}`, 'twice');
    const second = read(`SELECT 2 WHERE ${mayRead('batch', 'b')}`, 'twice');
    const textOf = (statement: typeof first) => access.reading({ ...statement })[0].text;
    for (const _ of [1, 2]) {
      expect(textOf(first)).toBe('SELECT 1 WHERE (b.c = $1::text[])');
      expect(textOf(second)).toBe('SELECT 2 WHERE (b.c = $1::text[])');
    }
  });

  it('knows no kind that is not named, so that a misspelt one shows nothing', () => {
    expect(() => access.reading(read(mayRead('formulas', 'f')))).toThrow(
      "There is no kind of record 'formulas': name it under RECORD_KINDS",
    );
  });

  it('of who may read everything leaves the statement as it was, of who may read nothing says so', () => {
    const statement = read(`${mayRead('formula', 'f')} ${mayRead('project', 'p')}`, 'n');
    expect(ReadAccess.EVERYTHING.reading(statement)[0]).toMatchObject({ name: 'n', text: '(true) (true)' });
    expect(ReadAccess.NOTHING.reading(statement)[0]).toMatchObject({
      name: 'n:nothing',
      text: '(false) (false)',
    });
  });

  it('says of which kinds records may be hidden', () => {
    const restricted = (one: ReadAccess) =>
      ['formula', 'project', 'batch'].map((kind) => one.restricts(kind));
    expect(restricted(access)).toEqual([true, false, true]);
    expect(restricted(ReadAccess.EVERYTHING)).toEqual([false, false, false]);
    expect(restricted(ReadAccess.NOTHING)).toEqual([true, true, true]);
  });
});
