import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { DatabaseService } from '../../src/platform/database/database.service';
import { RegulationsService } from '../../src/regulations/editions/regulations.service';
import { substanceKey } from '../../src/ingredients/raw-materials/substance-names';
import { expectError, TIMESTAMP, UUID } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';
import { cli } from '../support/cli';
import { HOUSE_LIMITS as HOUSE, importLimits } from '../support/limits';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
let service: TestApp;
let limits: RegulationsService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limits-'));
  service = await bootApp();
  limits = service.app.get(RegulationsService, { strict: false });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const importText = (name: string, csv: string) => importLimits(service.app, name, csv);

async function admin() {
  const user = await service.register();
  await service.app.get(DataSource).query(`UPDATE users SET role = 'admin' WHERE id = $1`, [user.id]);
  return user;
}

describe('editions of limits', () => {
  it('are listed, read and deleted with their limits', async () => {
    const user = await service.register();
    const { id } = await importText('Read', HOUSE);
    const { body: list } = await user.get('/api/ext/limits/editions?limit=1').expect(200);
    const edition = {
      id,
      name: 'Read',
      regions: ['house', 'other'],
      rowCount: 9,
      refusedCount: 0,
      importedAt: expect.stringMatching(TIMESTAMP),
      defaultRegions: [],
    };
    expect(list.data).toEqual([edition]);
    expect(list.pagination).toMatchObject({ page: 1, limit: 1 });
    expect((await user.get(`/api/ext/limits/editions/${id}`).expect(200)).body.data).toEqual(edition);

    const { body } = await user.get(`/api/ext/limits/editions/${id}/limits?limit=2&page=2`).expect(200);
    expect(body.pagination).toEqual({ page: 2, limit: 2, total: 9, totalPages: 5 });
    expect(body.data.map(({ inciNames }: { inciNames: string[] }) => inciNames)).toEqual([
      ['SUMMED ONE'],
      ['SUMMED TWO'],
    ]);
    expect(body.data[0]).toMatchObject({
      id: expect.stringMatching(UUID),
      editionId: id,
      region: 'house',
      casNumbers: ['56-81-5'],
      limitPercent: '1',
      limitText: '1 %',
      factor: null,
      validFrom: null,
    });

    const boss = await admin();
    expectError(await user.delete(`/api/ext/limits/editions/${id}`), 403, '无权限执行此操作');
    await boss.delete(`/api/ext/limits/editions/${id}`).expect(204);
    expectError(await boss.delete(`/api/ext/limits/editions/${id}`), 404, '限值表版本不存在');
    expectError(await user.get(`/api/ext/limits/editions/${id}/limits`), 404, '限值表版本不存在');
    const left = await service.app.get(DataSource).query('SELECT count(*)::integer AS left FROM limit_keys');
    expect(left).toEqual([{ left: 0 }]);
  });

  it('are the default of their regions, one of each, where an administrator says so', async () => {
    const [boss, user] = [await admin(), await service.register()];
    const limits = service.app.get(RegulationsService);
    const used = async (region: string) =>
      (await limits.matching({ region, on: '2026-12-01' }, [])).edition?.name;
    const [wide, narrow] = [
      await importText('Wide', HOUSE),
      await importText('Narrow', HOUSE.split('\nOther')[0]!),
    ];
    expect([await used('house'), await used('other')]).toEqual(['Narrow', 'Wide']);
    const path = (id: string) => `/api/ext/limits/editions/${id}/default`;
    expectError(await user.put(path(wide.id)), 403, '无权限执行此操作');
    expectError(await boss.put(path(NOWHERE)), 404, '限值表版本不存在');
    const { body } = await boss.put(path(wide.id)).expect(200);
    expect(body.data).toMatchObject({ id: wide.id, defaultRegions: ['house', 'other'] });
    expect([await used('house'), await used('other')]).toEqual(['Wide', 'Wide']);
    await boss.put(path(narrow.id)).expect(200);
    expect([await used('house'), await used('other')]).toEqual(['Narrow', 'Wide']);
    expect(
      (await boss.get(`/api/ext/limits/editions/${wide.id}`).expect(200)).body.data.defaultRegions,
    ).toEqual(['other']);
    expectError(await user.delete(path(wide.id)), 403, '无权限执行此操作');
    const { body: unset } = await boss.delete(path(wide.id)).expect(200);
    expect(unset.data.defaultRegions).toEqual([]);
    expect([await used('house'), await used('other')]).toEqual(['Narrow', 'Wide']);
    await boss.delete(path(narrow.id)).expect(200);
    await boss.put(path(wide.id)).expect(200);
    await boss.delete(path(wide.id)).expect(200);
    expect(await used('house')).toBe('Narrow');
    for (const { id } of [wide, narrow]) await boss.delete(`/api/ext/limits/editions/${id}`).expect(204);
  });

  it('have a name once, and are stored as a whole or not at all', async () => {
    await importText('Once', HOUSE);
    await expect(importText('Once', HOUSE)).rejects.toMatchObject({
      status: 409,
      message: '已存在同名的限值表版本',
    });
    await expect(importText('Faulty', `${HOUSE}\nHouse,A,9,X,,maximum,,many,,,,house`)).rejects.toMatchObject(
      {
        status: 400,
        message: 'row 11: limitPercent: 限值不是不超过100%的单个数字: many',
      },
    );
    await expect(importText('Empty', HOUSE.split('\n')[0]!)).rejects.toMatchObject({
      message: '文件中没有可用的限值',
    });
    expect(await limits.removeNamed('Faulty')).toBe(false);
    expect(await limits.removeNamed('Once')).toBe(true);
  });

  it('are imported from a file by admins', async () => {
    const boss = await admin();
    const send = (query: string, csv = HOUSE, headers = {}) =>
      service.http
        .post(`/api/ext/limits/editions?${query}`)
        .set(headers)
        .set('Authorization', `Bearer ${boss.token}`)
        .set('Content-Type', 'text/csv')
        .send(csv);
    const faulty = `${HOUSE}\nHouse,A,9,X,,maximum,bubbles,1,,,,house\nHouse,A,9,X,,maximum,,"1,000",,,,house`;
    const refusal = { row: 12, column: 'limitPercent', value: '1,000', reason: 'ambiguous-comma' };

    const { body } = await send('edition=%20Sent%20').expect(201);
    expect(body.data).toMatchObject({
      name: 'Sent',
      rowCount: 9,
      refusedCount: 0,
      unknownScopes: 0,
      refused: [],
    });
    expectError(await send('edition=Sent'), 409, '已存在同名的限值表版本');
    expectError(
      await send('edition=Part', faulty),
      400,
      'row 12: limitPercent: 逗号可能是小数点,也可能是千分位: 1,000',
    );
    expectError(
      await send('edition=Part&lang=en', faulty),
      400,
      'row 12: limitPercent: the comma could be a decimal comma or between thousands: 1,000',
    );
    const inEnglish = { 'X-Language': 'en' };
    expectError(
      await send('edition=Part', faulty, inEnglish),
      400,
      'row 12: limitPercent: the comma could be a decimal comma or between thousands: 1,000',
    );
    expectError(
      await send('edition=Part&lang=zh', faulty, inEnglish),
      400,
      'row 12: limitPercent: 逗号可能是小数点,也可能是千分位: 1,000',
    );
    const allRefused = [HOUSE.split('\n')[0]!, 'House,A,9,X,,maximum,,many,,,,house'].join('\n');
    expectError(
      await send('edition=Part&partial=true&lang=en', allRefused),
      400,
      expect.stringMatching(/^row 2: limitPercent: .*: many$/),
    );
    const partial = await send('edition=Part&partial=true&lang=en', faulty).expect(201);
    expect(partial.body.data).toMatchObject({
      rowCount: 10,
      refusedCount: 1,
      unknownScopes: 1,
      refused: [{ ...refusal, message: 'the comma could be a decimal comma or between thousands' }],
    });
    expect((await send('edition=Colors', 'L,a,b\n1,2,3')).status).toBe(400);
    expect((await send('edition=Odd&encoding=klingon')).status).toBe(400);
    expect((await send('')).status).toBe(400);
    expect((await boss.post('/api/ext/limits/editions?edition=None', {})).status).toBe(400);

    const engineer = await service.register();
    expectError(await engineer.post('/api/ext/limits/editions?edition=No', {}), 403, '无权限执行此操作');
    for (const name of ['Sent', 'Part']) await limits.removeNamed(name);
  });

  it('are asked for by those who are signed in only', async () => {
    expectError(await service.http.get('/api/ext/limits/editions'), 401, '未登录或登录已过期');
    expectError(
      await (await service.register()).get(`/api/ext/limits/editions/${NOWHERE}`),
      404,
      '限值表版本不存在',
    );
  });
});

describe('the limits of substances', () => {
  const on = '2026-06-01';
  const wanted = (name: string, ...casNumbers: string[]) => ({ key: substanceKey(name), casNumbers });
  const namesOf = (rows: readonly { inciNames: readonly string[] }[]) =>
    rows.map(({ inciNames }) => inciNames[0]);
  let id: string;

  beforeAll(async () => {
    await importText('Old', HOUSE);
    ({ id } = await importText('House', HOUSE));
  });
  afterAll(async () => {
    await limits.removeNamed('Old');
    await limits.removeNamed('House');
  });

  it('are all of an entry that one of its tiers names, of the region and the edition imported last', async () => {
    const found = await limits.matching({ region: 'house', on }, [wanted('Exam\u00adplin*')]);
    expect(found.edition).toMatchObject({ id, name: 'House', annexes: ['A', 'B'] });
    expect(found.limits.map(({ limitPercent, editionId }) => [limitPercent, editionId])).toEqual([
      ['1', id],
      ['2', id],
    ]);
    const water = await limits.matching({ region: 'house', on }, [wanted('Water')]);
    expect(namesOf(water.limits)).toEqual(['EXAMPLIN', 'EXAMPLIN']);
  });

  it('are found by a CAS number, with the members of their sum', async () => {
    const { limits: rows } = await limits.matching({ region: 'house', on }, [wanted('x', '56-81-5')]);
    expect(namesOf(rows)).toEqual(['SUMMED ONE', 'SUMMED TWO']);
  });

  it('are never found by a part of a name', async () => {
    expect((await limits.matching({ region: 'house', on }, [wanted('Summed')])).limits).toEqual([]);
  });

  it('that begin later are upcoming, and those that ended are left out', async () => {
    const { limits: now, upcoming } = await limits.matching({ region: 'house', on }, [wanted('Later')]);
    expect([now.length, upcoming.map(({ validFrom }) => validFrom)]).toEqual([0, ['2027-01-01']]);
    const then = await limits.matching({ region: 'house', on: '2027-01-01' }, [wanted('Later')]);
    expect([then.limits.map(({ entry }) => entry), then.upcoming]).toEqual([['4'], []]);
    const last = await limits.matching({ region: 'house', on: '2025-12-31' }, [wanted('Later')]);
    expect(last.limits.map(({ entry }) => entry)).toEqual(['5']);
  });

  it('without a number of their entry belong to their own substance only', async () => {
    const { limits: rows } = await limits.matching({ region: 'house', on }, [wanted('Unnumbered One')]);
    expect(namesOf(rows)).toEqual(['UNNUMBERED ONE']);
  });

  it('are those of a named edition, where one is named', async () => {
    for (const edition of [
      'Old',
      (await limits.matching({ region: 'house', on, edition: 'Old' }, [])).edition!.id,
    ]) {
      const found = await limits.matching({ region: 'house', on, edition }, [wanted('Examplin')]);
      expect(found.edition!.name).toBe('Old');
    }
    await expect(limits.matching({ region: 'house', on, edition: 'None' }, [])).rejects.toMatchObject({
      status: 404,
    });
    expect(await limits.matching({ region: 'mars', on }, [wanted('Examplin')])).toEqual({
      edition: null,
      limits: [],
      upcoming: [],
    });
  });

  it('come by two statements, for ten thousand substances too', async () => {
    const query = jest.spyOn(service.app.get(DatabaseService), 'query');
    const many = Array.from({ length: 10_000 }, (_, at) => wanted(`Substance ${at}`, `${1000 + at}-00-0`));
    const { limits: rows } = await limits.matching({ region: 'house', on }, [...many, wanted('Examplin')]);
    expect(namesOf(rows)).toEqual(['EXAMPLIN', 'EXAMPLIN']);
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
  });
});

describe('limits commands', () => {
  const run = (...args: string[]) => cli(['limits', ...args], { app: service.app });

  it('import a file, list and remove its edition', async () => {
    const path = join(folder, 'house.csv');
    await writeFile(path, HOUSE);
    expect(await run('import', path, '--edition', 'By command')).toMatchObject({
      code: 0,
      stdout: 'Imported "By command": 9 limits, 0 rows refused; the product types of 0 limits are unknown.\n',
    });
    expect((await run('list')).stdout).toMatch(/\t9\t0\thouse,other\tBy command\n/);
    expect(await run('import', path, '--edition', 'By command')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is an edition "By command" already.'),
    });
    expect(await run('remove', 'By command')).toMatchObject({ code: 0, stdout: 'Removed "By command".\n' });
    expect(await run('remove', 'By command')).toMatchObject({ code: 1 });
  });

  it('import several files as one edition', async () => {
    const paths = ['one.csv', 'two.csv'].map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, HOUSE);
    const { stdout } = await run('import', ...paths, '--edition', 'Both');
    expect(stdout).toContain('Imported "Both": 18 limits');
    await run('remove', 'Both');
  });

  it('name refused rows, and import the others only if told', async () => {
    const path = join(folder, 'faulty.csv');
    await writeFile(path, `${HOUSE}\nHouse,A,9,X,,maximum,,"1,000",,,,house`);
    const refused = 'row 11: limitPercent: the comma could be a decimal comma or between thousands: 1,000\n';
    const { code, stdout } = await run('import', path, '--edition', 'Part');
    expect([code, stdout]).toEqual([
      1,
      `${refused}Nothing was imported: 1 row refused (--partial imports the others).\n`,
    ]);
    const partial = await run('import', path, '--edition', 'Part', '--partial');
    expect(partial).toMatchObject({ code: 0, stdout: expect.stringContaining('9 limits, 1 row refused') });
    await run('remove', 'Part');
  });

  it('tell what is wrong with the command line or the file', async () => {
    expect(await run('import', 'nowhere.csv')).toMatchObject({ code: 2 });
    const missing = await run('import', 'nowhere.csv', '--edition', 'X');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no such file.') });
    const path = join(folder, 'colors.csv');
    await writeFile(path, 'L,a,b\n1,2,3\n');
    expect(await run('import', path, '--edition', 'X')).toMatchObject({ code: 1 });
    expect(await run('import', path, '--edition', 'X', '--encoding', 'klingon')).toMatchObject({ code: 2 });
  });
});
