import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ColorImportService } from '../../src/colors/files/color-import.service';
import { ImportRepository } from '../../src/files/import-repository';
import { type Account, bootApp, type TestApp } from '../support/app';
import { cli } from '../support/cli';

describe('colors import', () => {
  let service: TestApp;
  let user: Account;
  let folder: string;
  let database: DataSource;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colors-'));
    service = await bootApp();
    user = await service.register();
    database = service.app.get(DataSource);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.query('DELETE FROM color_formulas');
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  async function importText(content: string, ...options: string[]) {
    const path = join(folder, 'colours.csv');
    await writeFile(path, content);
    return cli(['colors', 'import', path, '--user', user.username, ...options], { app: service.app });
  }

  const stored = () =>
    database.query(`SELECT name, l AS "L", a, b, actual_l AS "actualL", actual_a AS "actualA", actual_b AS "actualB",
                           delta_e AS "deltaE", colorant_composition::text AS composition, created_by AS "createdBy"
                    FROM color_formulas ORDER BY name COLLATE "C"`);

  const counts = (stdout: string) =>
    Object.fromEntries(
      [...stdout.matchAll(/^ +([\d,]+) {2}(\w+)/gm)].map(([, count = '', label = '']) => [
        label,
        Number(count.replaceAll(',', '')),
      ]),
    );

  it('imports 3,000 colours that match then finds, and finds them unchanged the second time', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) =>
      [
        `色号 ${n}`,
        (n % 101).toString(),
        ((n * 7) % 120) - 60 + 0.25,
        ((n * 13) % 120) - 60,
        `CI 77491: ${n / 10}`,
      ].join(','),
    );
    const file = ['name,L,a,b,composition', ...rows].join('\n');
    const first = await importText(file);
    expect(first.code).toBe(0);
    expect(counts(first.stdout)).toEqual({
      created: 3000,
      updated: 0,
      unchanged: 0,
      replaced: 0,
      refused: 0,
    });
    const { body } = await user.get('/api/color/formulas/match?L=12&a=24.25&b=-24&limit=1').expect(200);
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        name: '色号 12',
        targetLab: { L: 12, a: 24.25, b: -24 },
        deltaE: null,
        colorantComposition: { 'CI 77491': 1.2 },
        distance: 0,
      },
    ]);
    const again = await importText(file);
    expect(counts(again.stdout)).toEqual({
      created: 0,
      updated: 0,
      unchanged: 3000,
      replaced: 0,
      refused: 0,
    });
  });

  it('finds a stored colour whose name has white space around it', async () => {
    const targetLab = { L: 50, a: 1, b: 2 };
    await user.post('/api/color/formulas', { name: ' 正红 ', targetLab }).expect(201);
    const { stdout } = await importText('name,L,a,b\n正红,50,1,2\n');
    expect(counts(stdout)).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('takes every column, under other names as well, and updates by name regardless of case', async () => {
    const first = await importText(
      '﻿色号,L*,a*,b*,实测L,实测a,实测b,ΔE,配比\nRed A,41.2,52,23.5,41,53,22.5,0.81,"{""CI 15850"": 3.2, ""a"": [1.50]}"\n',
    );
    expect(first).toMatchObject({ code: 0 });
    const whole = {
      name: 'Red A',
      L: 41.2,
      a: 52,
      b: 23.5,
      actualL: 41,
      actualA: 53,
      actualB: 22.5,
      deltaE: 0.81,
      composition: '{"CI 15850":3.2,"a":[1.5]}',
      createdBy: user.id,
    };
    expect(await stored()).toEqual([whole]);

    const second = await importText('name,L,a,b,deltaE\n red a ,41.2,52,24,\nBlue,30,10,-50,1\n');
    expect(counts(second.stdout)).toEqual({ created: 1, updated: 1, unchanged: 0, replaced: 0, refused: 0 });
    expect(await stored()).toEqual([
      {
        name: 'Blue',
        L: 30,
        a: 10,
        b: -50,
        deltaE: 1,
        createdBy: user.id,
        actualL: null,
        actualA: null,
        actualB: null,
        composition: null,
      },
      { ...whole, b: 24 },
    ]);
  });

  it.each([
    '颜色,目标L,目标a,目标b,实测 l,实测a,实测b,色差,着色剂',
    'Colour,Target L*,target_a*,TARGET-B*,Measured L*,measured a*,actual b,dE,Colorants',
    'shade,target L,target a,target b,actual L,actual a*,actual b*,difference,colorant composition',
    '名称,L,a,b,actual L*,actual a,measured b*,ΔE,色料配比',
    'color,L*,a*,b*,measuredL,measuredA,measuredB,deltaE,composition',
    '样品名称,目标L*,目标a*,目标b*,实测L*,实测a*,实测b*,ΔE*00,着色剂',
    'Standard Name,L*(D65),CIE a*,b* (D65/10°),Sample L*,Sample a*,Sample b*,ΔE00,colorants',
  ])('knows a column by its usual names: %s', async (header) => {
    const { code, stderr } = await importText(`${header}\nX,1,2,3,4,5,6,7,8\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('ignored') });
    const lab = { L: 1, a: 2, b: 3, actualL: 4, actualA: 5, actualB: 6 };
    expect(await stored()).toMatchObject([{ name: 'X', ...lab, deltaE: 7, composition: '8' }]);
  });

  it('reads a spectrophotometer’s export: lines above the header, decimal commas', async () => {
    const { code, stdout } = await importText(
      'Instrument;X-1\nSerial No;12\n\nName;L*(D65);a*(D65);b*(D65);Colorants\nA;41,2;−3,5;12;CI 77491: 2,4; CI 77891: 5\n'.replace(
        'CI 77491: 2,4; CI 77891: 5',
        '"CI 77491: 2,4; CI 77891: 5"',
      ),
    );
    expect(code).toBe(0);
    expect(stdout).toContain('Lines 1 to 2, above the header, were not read');
    expect(await stored()).toMatchObject([
      { name: 'A', L: 41.2, a: -3.5, b: 12, composition: '{"CI 77491":2.4,"CI 77891":5}' },
    ]);
    expect(counts((await importText('name,L,a,b\nＡ\u200b,41.2,-3.5,12\n')).stdout)).toMatchObject({
      unchanged: 1,
    });
  });

  it('two imports at once do not store a colour twice', async () => {
    const imports = service.app.get(ColorImportService);
    for (let round = 0; round < 5; round++) {
      const drafts = [{ line: 2, name: `round ${round}`, targetLab: { L: round, a: 0, b: 0 } }];
      const reports = await Promise.all([1, 2].map(() => imports.import({ drafts, createdBy: user.id })));
      expect(reports.map(({ created, unchanged }) => [created, unchanged]).sort()).toEqual([
        [0, 1],
        [1, 0],
      ]);
    }
    expect(await stored()).toHaveLength(5);
  });

  it('of rows with one name the last counts, and the report says so', async () => {
    const { code, stdout } = await importText('name,L,a,b\nX,1,2,3\nY,1,1,1\nx,4,5,6\n');
    expect(code).toBe(0);
    expect(stdout).toContain('line 2: X (line 4 counts)');
    expect(await stored()).toMatchObject([{ name: 'Y' }, { name: 'x', L: 4, a: 5, b: 6 }]);
  });

  it('one refused row keeps the file out, unless the others are asked for', async () => {
    const file = 'name,L,a,b\ngood,1,2,3\nbad,101,2,3\n,5,5,5\n';
    const refused = await importText(file);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('line 3: L: must not be above 100, is 101');
    expect(refused.stdout).toContain('line 4: name: is empty');
    expect(await stored()).toEqual([]);
    expect((await importText(file, '--skip-refused')).code).toBe(0);
    expect(await stored()).toMatchObject([{ name: 'good' }]);
  });

  it('refuses a row that could mean several stored colours', async () => {
    for (let i = 0; i < 2; i++)
      await user.post('/api/color/formulas', { targetLab: { L: 1, a: 2, b: 3 } }).expect(201);
    const { code, stdout } = await importText('name,L,a,b\n未命名颜色配方,1,2,3\n');
    expect(code).toBe(1);
    expect(stdout).toContain('line 2: 未命名颜色配方 matches 2 colours of the stored colours');
  });

  it('a dry run changes nothing', async () => {
    const { code, stdout } = await importText('name,L,a,b\nX,1,2,3\n', '--dry-run');
    expect(code).toBe(0);
    expect(counts(stdout)).toMatchObject({ created: 1 });
    expect(await stored()).toEqual([]);
  });

  it('is one transaction', async () => {
    await importText('name,L,a,b\nold,1,2,3\n');
    jest.spyOn(ImportRepository.prototype, 'update').mockRejectedValue(new Error('cut'));
    const { code } = await importText('name,L,a,b\nnew,1,2,3\nold,9,9,9\n');
    expect(code).not.toBe(0);
    expect(await stored()).toMatchObject([{ name: 'old', L: 1 }]);
  });

  it.each([
    ['name,L,a\nX,1,2\n', 'no column for b'],
    ['name,L,a,b\n"X,1,2,3\n', 'colours.csv'],
    ['', 'colours.csv'],
  ])('says what is wrong with the file %j', async (content, message) => {
    const { code, stderr } = await importText(content);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(await stored()).toEqual([]);
  });

  it('needs a user who exists', async () => {
    const path = join(folder, 'one.csv');
    await writeFile(path, 'name,L,a,b\nX,1,2,3\n');
    for (const user of [[], ['--user', ' ']]) {
      const without = await cli(['colors', 'import', path, ...user], { app: service.app });
      expect(without.code).toBe(2);
      expect(without.stderr).toContain('--user is missing');
    }
    const unknown = await cli(['colors', 'import', path, '--user', 'nobody'], { app: service.app });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('There is no user "nobody".');
  });
});
