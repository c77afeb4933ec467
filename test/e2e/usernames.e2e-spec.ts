import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { coreMigrations } from '../../src/database/find-migrations';
import { PasswordHasher } from '../../src/auth/password-hasher';
import { expectError } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';
import { runMigration } from '../support/migrations';

const TAKEN = '用户名已存在';
const UNSEEN = 'username: 不能包含控制、格式、不可见或未分配的字符';
const TOO_LONG = 'username: 不能超过200个字符';
const WRONG = '用户名或密码错误';

let service: TestApp;

const register = (username: string, password = 'secret') =>
  service.http.post('/api/auth/register').send({ username, password });
const login = (username: string, password = 'secret') =>
  service.http.post('/api/auth/login').send({ username, password });
const database = () => service.app.get(DataSource);

beforeAll(async () => {
  service = await bootApp();
});
afterAll(() => service.close());

describe('A username', () => {
  it.each([
    ['a full width', 'ｌｉｎ', 'lin'],
    ['a ligature', 'ﬁne', 'fine'],
    ['a decomposed letter', 'u\u0308mit', 'ümit'],
    ['a compatibility ideograph', '\uf9f4', '林'],
    ['a space of another width', '林\u3000工', '林 工'],
  ])('with %s is stored as sent, and taken in every other spelling', async (_, sent, other) => {
    const { body } = await register(sent).expect(201);
    expect(body.data.username).toBe(sent);
    expectError(await register(other), 409, TAKEN);
    expectError(await register(sent), 409, TAKEN);
    for (const spelling of [sent, other]) {
      const { body: session } = await login(spelling).expect(200);
      expect(session.data).toMatchObject({ id: body.data.id, username: sent });
      expectError(await login(spelling, 'wrong'), 401, WRONG);
    }
  });

  it('is compared in its own case, with its spaces', async () => {
    await register('Zhao  Li').expect(201);
    for (const other of ['zhao  li', 'Zhao Li', 'ZhaoLi']) await register(other).expect(201);
  });

  it('registered at the same time in two spellings belongs to one of them', async () => {
    const spellings = ['ｒace', 'rａce', 'raｃe', 'racｅ', 'race', 'ｒａｃｅ'];
    const answers = await Promise.all(spellings.map((spelling) => register(spelling)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it.each([
    ['a control character', 'a\u0007b'],
    ['a tab inside', 'a\tb'],
    ['a format character', 'a\u200bb'],
    ['a change of direction', 'a\u202eb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a variation selector', '❤\ufe0f'],
    ['a Hangul filler', 'a\u3164b'],
    ['a half-width Hangul filler', 'a\uffa0b'],
    ['a Hangul initial filler', 'a\u115fb'],
    ['a grapheme joiner', 'a\u034fb'],
    ['an inherent vowel of Khmer', 'a\u17b4b'],
    ['a Mongolian variation selector', 'a\u180bb'],
    ['a variation selector beyond the first plane', 'a\u{e0101}b'],
    ['an empty Braille pattern', 'a\u2800b'],
    ['nothing else than a filler', '\u3164'],
    ['a private character', 'a\ue000b'],
    ['an unassigned character', 'a\u{e0fff}b'],
    ['a noncharacter', 'a\u{10ffff}b'],
  ])('with %s is refused', async (_, username) => {
    expectError(await register(username), 400, UNSEEN);
  });

  it('has at most 200 characters, in its form too', async () => {
    await register(`${'長'.repeat(199)}1`).expect(201);
    // 18 characters of the form each.
    await register('\ufdfa'.repeat(11)).expect(201);
    expectError(await register('\ufdfa'.repeat(12)), 400, TOO_LONG);
    expectError(await register(`${'長'.repeat(200)}1`), 400, TOO_LONG);
  });
});

describe('Usernames from before they were unique in their form', () => {
  /** Stored by an earlier version: the later of each pair looks like the earlier one. */
  const EARLIER = 'ｗａｎｇ';
  const LATER = 'wang';
  const UNSEEN_NAME = 'chen\u200b';
  const HUGE = '\ufdfa'.repeat(200);
  const LONGEST = 'ｘ'.repeat(200);
  const migration = coreMigrations.find(({ name }) => name.startsWith('UserTokensAndNameForms'))!;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    const source = database();
    const behind = coreMigrations.length - coreMigrations.indexOf(migration);
    for (let count = 0; count < behind; count++) await source.undoLastMigration();
    const hash = await service.app.get(PasswordHasher).hash('secret');
    // The earlier one is stored second: what counts is when it was registered.
    for (const [name, createdAt] of [
      [LATER, '2025-02-01'],
      [EARLIER, '2025-01-01'],
      [UNSEEN_NAME, '2025-01-01'],
      [HUGE, '2025-01-01'],
      [LONGEST, '2025-01-01'],
    ] as const) {
      const id = randomUUID();
      ids.set(name, id);
      await source.query(
        'INSERT INTO users (id, username, password_hash, created_at) VALUES ($1, $2, $3, $4)',
        [id, name, hash, createdAt],
      );
    }
    for (const later of coreMigrations.slice(-behind)) await runMigration(source, later);
    // Written last, it lies behind the other one: which of the two is found is no matter of where they lie.
    await source.query('UPDATE users SET role = role WHERE id = $1', [ids.get(LATER)]);
  });

  const whoIs = async (name: string) => (await login(name).expect(200)).body.data.id as string;

  it('keep working by their exact form', async () => {
    for (const [name, id] of ids) expect(await whoIs(name)).toBe(id);
  });

  it('give the form to the one that was registered first', async () => {
    expect(await whoIs('ｗang')).toBe(ids.get(EARLIER));
    expectError(await register('wａng'), 409, TAKEN);
    const forms = await database().query<{ form: string | null }[]>(
      'SELECT username_form AS form FROM users WHERE username = ANY ($1) ORDER BY created_at, username',
      [[EARLIER, LATER]],
    );
    expect(forms).toEqual([{ form: LATER }, { form: null }]);
  });

  it('have a form of at most 200 characters, and those too', async () => {
    expect(await whoIs('x'.repeat(200))).toBe(ids.get(LONGEST));
  });

  it('are there after the migration went down and up again, with tokens that begin anew', async () => {
    const source = database();
    const names = () => source.query<unknown[]>('SELECT id, username, role FROM users ORDER BY id');
    const before = await names();
    const behind = coreMigrations.length - coreMigrations.indexOf(migration);
    for (let count = 0; count < behind; count++) await source.undoLastMigration();
    expect(await names()).toEqual(before);
    for (const later of coreMigrations.slice(-behind)) await runMigration(source, later);
    expect(await names()).toEqual(before);
    expect(await source.query('SELECT DISTINCT token_version, disabled_at FROM users')).toEqual([
      { token_version: 0, disabled_at: null },
    ]);
    expect(await whoIs('ｗang')).toBe(ids.get(EARLIER));
  });
});
