import { expectError } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';

const TAKEN = '用户名已存在';
const UNSEEN = 'username: 不能包含控制、格式、不可见或未分配的字符';
const TOO_LONG = 'username: 不能超过200个字符';
const WRONG = '用户名或密码错误';

let service: TestApp;

const register = (username: string, password = 'secret') =>
  service.http.post('/api/auth/register').send({ username, password });
const login = (username: string, password = 'secret') =>
  service.http.post('/api/auth/login').send({ username, password });

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
