import { DataSource } from 'typeorm';
import { UsersRepository } from '../../src/users/users.repository';
import { TransactionManager } from '../../src/platform/database/transaction-manager';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { workbookParts, zipFile } from '../support/zip-file';

let service: TestApp;
let user: Account;
beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
});
afterAll(() => service.close());

const NIL = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const send = (path: string, csv: string, account = user) =>
  account.post(`/api/ext/import/${path}`).set('Content-Type', 'text/csv').send(csv);
const taken = async (path: string, csv: string, account = user) =>
  (await send(path, csv, account).expect(200)).body.data;

describe('POST /api/ext/import/ingredients', () => {
  it('creates, updates and leaves alone; a dry run changes nothing', async () => {
    const csv = 'INCI,中文名,类别,含税单价(元/kg)\nImp One,导入一,other,12.5\nImp Two,导入二,other,询价\n';
    expect(await taken('ingredients?dryRun=true', csv)).toMatchObject({ applied: false, created: 2 });
    const first = await taken('ingredients', csv);
    expect(first).toMatchObject({
      applied: true,
      created: 2,
      updated: 0,
      unchanged: 0,
      refused: 0,
      refusedRows: null,
    });
    expect(first.notes).toContain('"含税单价(元/kg)": 询价不作为价格(1行)');
    const again = await taken('ingredients', csv.replace('12.5', '13'));
    expect(again).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    const { data } = (await user.get('/api/ingredients?search=Imp%20Two').expect(200)).body;
    expect(data[0]).toMatchObject({ inciName: 'Imp Two', unitPrice: null });
  });

  it.each([
    'dryRun',
    'dryRun=',
    'dryRun=1',
    'dryRun=%20',
    'dryRun=true&dryRun',
    'partial',
    'dryRun=true&partial=',
  ])('refuses a switch that is half said, and writes nothing: ?%s', async (query) => {
    const files = {
      ingredients: 'INCI,中文名,类别\nHalf Said,半,other\n',
      formulas: 'formula,INCI,%\nHalf Said,Aqua,100\n',
      colors: 'name,L,a,b\nHalf Said,1,1,1\n',
    };
    const name = query.includes('partial') ? 'partial' : 'dryRun';
    for (const [kind, csv] of Object.entries(files)) {
      expectError(await send(`${kind}?${query}`, csv), 400, expect.stringContaining(`${name}: 必须`));
    }
    expect((await user.get('/api/ingredients?search=Half%20Said').expect(200)).body.data).toEqual([]);
  });

  it('refuses a misspelt parameter, which would import the file', async () => {
    const csv = 'INCI,中文名,类别\nImp Dry,试,other\n';
    expectError(await send('ingredients?dryrun=true', csv), 400, 'dryrun: 没有这个查询参数,未导入任何数据');
    expectError(
      await send('colors?x=1&y=2', 'name,L,a,b\nx,1,1,1\n'),
      400,
      'x, y: 没有这个查询参数,未导入任何数据',
    );
    expectError(await send('formulas?match=cas', csv), 400, 'match: 没有这个查询参数,未导入任何数据');
  });

  it('names the row, the column and the value of a fault, and all or nothing is imported', async () => {
    const csv = 'Titel\nINCI,中文名,类别,单价\nImp Bad,坏,other,abc\nImp Good,好,other,1\n';
    const answer = await taken('ingredients', csv);
    expect(answer).toMatchObject({ applied: false, rows: 2, created: 1, refused: 1 });
    expect(answer.faults).toEqual([
      { row: 3, column: '单价', value: 'abc', reason: expect.stringMatching(/"abc"不是数字/) },
    ]);
    const file = await user.get(answer.refusedRows.path).expect(200);
    expect(file.text).toMatch(/^\ufeffINCI,中文名,类别,单价,row,reason\r\nImp Bad,坏,other,abc,3,"?单价: /);
    const other = await service.register();
    expectError(await other.get(answer.refusedRows.path), 404, '未导入的行不存在或已过期');
    expect(await taken('ingredients?partial=true', csv)).toMatchObject({
      applied: true,
      created: 1,
      refused: 1,
    });
  });

  it('notes a price without a unit where the ingredient has its price per gram or per pack', async () => {
    const csv = 'INCI,中文名,类别,单位,单价\nPer Gram,克价,other,g,0.02\nPer Kilogram,千克价,other,公斤,2\n';
    await taken('ingredients', csv);
    const unclear = await taken('ingredients?dryRun=true', 'INCI,单价\nPer Gram,20\nPer Kilogram,20\n');
    expect(unclear).toMatchObject({
      updated: 2,
      notes: ['没有写明单位的价格按原料库中的单位计,如有不同请增加"unit"(单位)列: 2 (g)'],
    });
    expect(await taken('ingredients', 'INCI,单价\nPer Gram,0.02\n')).toMatchObject({
      unchanged: 1,
      notes: [],
    });
    expect(await taken('ingredients', 'INCI,单价,单位\nPer Gram,20,kg\n')).toMatchObject({ updated: 1 });
    const { notes } = await taken('ingredients?dryRun=true', 'INCI,Preis EUR/kg\nPer Kilogram,20\n');
    expect(notes).toContain('"Preis EUR/kg": 价格的货币是 EUR,只保存数字,不换算');
  });

  it('says which rows of another name a CAS number or a Chinese name finds', async () => {
    await taken('ingredients', 'INCI,中文名,类别,CAS号\nCas Named,卡斯名,other,7440-44-0\n');
    const csv = 'INCI,CAS号,单价(元/kg)\nAnother Name,7440-44-0,9\n';
    expect(await taken('ingredients?match=cas', csv)).toMatchObject({
      updated: 1,
      notes: expect.arrayContaining(['按 casNumbers 找到、但名称不同的行: 2 "Another Name" = "Cas Named"']),
    });
    const same = await taken('ingredients?match=cas', csv.replace('Another Name', 'cas named'));
    expect(same.notes).not.toEqual(expect.arrayContaining([expect.stringContaining('名称不同')]));
    await taken('ingredients?match=inci+supplier&dryRun=true', 'INCI,供应商,单价(元/kg)\nCas Named,,9\n');
  });

  it('forgets refused rows after an hour', async () => {
    const { refusedRows } = await taken('ingredients', 'INCI,中文名,类别,单价\nX,x,other,abc\n');
    await service.app
      .get(DataSource)
      .query(`UPDATE import_refusals SET created_at = created_at - interval '1 hour' WHERE id = $1`, [
        refusedRows.id,
      ]);
    await user.get(refusedRows.path).expect(404);
  });

  it('finds ingredients by their Chinese name, and never changes the names', async () => {
    const { inciName } = await createIngredient(user, { chineseName: '价目表原料' });
    const csv = '中文名,INCI,单价\n价目表原料,Other Name,7\n';
    expect(await taken('ingredients?match=chinese', csv)).toMatchObject({
      applied: true,
      updated: 1,
      created: 0,
    });
    const { data } = (await user.get(`/api/ingredients?search=${encodeURIComponent(inciName)}`)).body;
    expect(data[0]).toMatchObject({ inciName, unitPrice: 7 });
    expect(await taken('ingredients?match=chinese', '中文名,单价\n没有这个,7\n')).toMatchObject({
      refused: 1,
    });
  });

  it('takes header and columns where they are said to be', async () => {
    const csv = 'Kopf\nwas,wie\nImp Map,映射\n';
    const query = `headerRow=2&map=${encodeURIComponent('was=inciName;wie=chineseName')}`;
    expect(await taken(`ingredients?${query}&dryRun=true`, csv)).toMatchObject({ refused: 1 });
    expectError(await send('ingredients?headerRow=9', csv), 400, expect.stringContaining('file'));
    expectError(await user.post('/api/ext/import/ingredients'), 400, 'file: 必须提供文件');
  });
});

describe('names in files of ingredients', () => {
  const idOf = async (inciName: string) =>
    (await user.get(`/api/ext/ingredients?search=${encodeURIComponent(inciName)}`).expect(200)).body.data[0]
      .id;
  const namesOf = async (inciName: string) =>
    (await user.get(`/api/ext/ingredients/${await idOf(inciName)}/names`).expect(200)).body.data;
  const english = async (path: string, csv: string) =>
    (await send(path, csv).set('X-Language', 'en').expect(200)).body.data;
  const header = 'INCI,中文名,类别,CAS No.,EINECS,别名,Trade Name';

  it('are stored with the rows, found, and added to those that are there', async () => {
    const csv = `${header}\nNamed Glycerin,具名甘油,humectant,56-81-5,200-289-5,丙三醇;Glycerol,Pricerine 9091\n`;
    expect(await taken('ingredients?dryRun=true', csv)).toMatchObject({ created: 1, applied: false });
    expect(await taken('ingredients', csv)).toMatchObject({ created: 1, applied: true, notes: [] });
    const named = {
      casNumbers: ['56-81-5'],
      ecNumbers: ['200-289-5'],
      synonyms: ['丙三醇', 'Glycerol'],
      tradeNames: ['Pricerine 9091'],
    };
    expect(await namesOf('Named Glycerin')).toMatchObject(named);
    expect(await taken('ingredients', csv)).toMatchObject({ updated: 0, unchanged: 1 });
    const more = csv.replace('丙三醇;Glycerol', 'GLYCEROL;Ölsüß');
    expect(await taken('ingredients?dryRun=true', more)).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await namesOf('Named Glycerin')).toMatchObject(named);
    expect(await taken('ingredients', more)).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await namesOf('Named Glycerin')).toMatchObject({
      ...named,
      synonyms: [...named.synonyms, 'Ölsüß'],
    });
    const resolved = await user.post('/api/ext/ingredients/resolve', {
      names: ['pricerine 9091', '56-81-5'],
    });
    const id = await idOf('Named Glycerin');
    expect(
      resolved.body.data.map(
        ({ candidates }: { candidates: { ingredient: { id: string } }[] }) => candidates[0]?.ingredient.id,
      ),
    ).toEqual([id, id]);
    const { data } = (await user.get('/api/ext/ingredients?casNumber=56-81-5').expect(200)).body;
    expect(data.map((ingredient: { id: string }) => ingredient.id)).toEqual([id]);
  });

  it('say which of them were not used', async () => {
    const answer = await english('ingredients', `${header}\nBad Number,坏号,other,56-81-6,,,\n`);
    expect(answer).toMatchObject({ created: 1, refused: 0 });
    expect(answer.notes).toEqual(['"CAS No.": "56-81-6" is no CAS number and was not used (1 row)']);
  });

  it('have at most 200 notes, and a last one that counts the others', async () => {
    const rows = Array.from({ length: 205 }, (_, index) => `Bad ${index},坏,other,x${index}y,,,`);
    const { notes } = await english('ingredients?dryRun=true', [header, ...rows, ''].join('\n'));
    expect(notes).toHaveLength(201);
    expect(notes.at(-1)).toBe('and 5 more notes on rows');
  });

  it('are refused beyond fifty of a kind', async () => {
    const many = (first: number) => Array.from({ length: 50 }, (_, index) => `n${first + index}x`).join(';');
    const row = (first: number) => `${header}\nMany Names,多名,other,,,${many(first)},\n`;
    expect(await english('ingredients', row(0))).toMatchObject({ created: 1 });
    const answer = await english('ingredients', row(50));
    expect(answer).toMatchObject({ applied: false, refused: 1 });
    expect(answer.faults[0].reason).toContain('would have more than 50 names of a kind');
  });

  it('that may mean several ingredients take none of them from other rows', async () => {
    await createIngredient(user, { inciName: 'Tocopherol', supplier: null });
    await createIngredient(user, { inciName: 'Tocopheryl Acetate', supplier: null });
    const answer = await english(
      'ingredients?partial=true',
      `${header}\nVE,维E,other,,,,\nTocopherol,生育酚,other,,,new name,\n`,
    );
    expect(answer).toMatchObject({ applied: true, updated: 1, refused: 1, notes: [] });
    expect(answer.faults).toMatchObject([{ row: 2, reason: expect.stringContaining('VE may mean') }]);
  });

  it('find their ingredients by CAS number', async () => {
    await english('ingredients', `${header}\nCas One,号一,other,64-17-5,,,\nCas Two,号二,other,67-63-0,,,\n`);
    await english('ingredients', `${header}\nCas Twin,号双,other,67-63-0,,,\n`);
    const prices = (rows: string) => `CAS,单价\n${rows}\n`;
    expect(await english('ingredients?match=cas', prices('64-17-5,9'))).toMatchObject({
      applied: true,
      updated: 1,
    });
    const { data } = (await user.get('/api/ingredients?search=Cas%20One').expect(200)).body;
    expect(data[0]).toMatchObject({ inciName: 'Cas One', unitPrice: 9 });
    const answer = await english(
      'ingredients?match=cas',
      prices('67-63-0,1\n7732-18-5,1\n,1\n64-17-5 67-56-1,3\n64-17-5,2'),
    );
    expect(answer.faults.map(({ row, reason }: { row: number; reason: string }) => [row, reason])).toEqual([
      [2, expect.stringMatching(/matches 2 ingredients/)],
      [3, expect.stringMatching(/is not in the catalogue, and to create it inciName/)],
      [4, 'is empty'],
      [6, '64-17-5 is what line 5 is, too'],
    ]);
    expectError(
      await send('ingredients?match=cas', '单价\n1\n').set('X-Language', 'en'),
      400,
      expect.stringContaining('casNumbers'),
    );
  });
});

it('gives reasons in Chinese, as the interface does, and in English with X-Language: en', async () => {
  const reasonOf = async (csv: string, language?: string) => {
    const request = send('formulas?name=x', csv);
    const { status, body } = await (language ? request.set('X-Language', language) : request);
    return status === 400 ? body.error : body.data.faults[0].reason;
  };
  const unknown = 'INCI,%\nNo Such Thing,100\n';
  expect(await reasonOf(unknown)).toBe('不是原料库中的成分: "No Such Thing"');
  expect(await reasonOf(unknown, 'en')).toBe('is no ingredient of the catalogue: "No Such Thing"');
  await createIngredient(user, { inciName: 'Half', supplier: null });
  expect(await reasonOf('INCI,%\nHalf,50\n')).toContain('所有成分百分比之和必须在99.5到100.5之间,当前为50');
  expect(await reasonOf('INCI,%\nHalf,50\n', 'en')).toMatch(/^[ -~]*50[ -~]*$/);
  expect(await reasonOf('a\n"x')).toBe('file: 无法读取: 第2行引号有误: 引号没有闭合');
  expect(await reasonOf('a\n"x', 'en')).toBe(
    'file: cannot be read: Broken quoting in line 2: a quote is opened and never closed.',
  );
});

it('writes a large file in slices, and a repeated import adds nothing', async () => {
  await createIngredient(user, { inciName: 'Sliced', supplier: 'only' });
  const rows = Array.from({ length: 130 }, (_, formula) =>
    Array.from({ length: 50 }, () => `slice ${formula},Sliced,only,2`),
  );
  const csv = `formula,INCI,supplier,%\n${rows.flat().join('\n')}\n`;
  const run = jest.spyOn(service.app.get(TransactionManager), 'runLong');
  expect(await taken('formulas', csv)).toMatchObject({ applied: true, created: 130 });
  // 10 formulas have 500 lines.
  expect(run).toHaveBeenCalledTimes(13);
  run.mockRestore();
  expect(await taken('formulas', csv)).toMatchObject({ created: 0, unchanged: 130 });
});

describe('POST /api/ext/import/colors', () => {
  const colorsOf = async (account: Account, search: string) =>
    (await account.get(`/api/ext/color/formulas?search=${search}`).expect(200)).body.data as any[];

  it('never changes colours of others: a name is that of a colour of your own', async () => {
    const csv = 'name,L,a,b\nimport-colour,10,1,1\n';
    expect(await taken('colors', csv)).toMatchObject({ applied: true, created: 1 });
    const other = await service.register();
    const changed = csv.replace('10', '11');
    expect(await taken('colors', changed, other)).toMatchObject({ applied: true, created: 1, updated: 0 });
    expect(await taken('colors', changed, other)).toMatchObject({ created: 0, unchanged: 1 });
    const [mine] = (await colorsOf(user, 'import-colour')).filter(({ createdBy }) => createdBy === user.id);
    expect(mine.targetLab.L).toBe(10);
    const byId = await taken('colors', `id,${csv.replace('import-', `${mine.id},import-`)}`, other);
    expect(byId).toMatchObject({ unchanged: 1, refused: 0 });
    const refused = await taken('colors', `id,${changed.replace('import-', `${mine.id},import-`)}`, other);
    expect(refused).toMatchObject({ applied: false, updated: 0, refused: 1 });
    expect(refused.faults[0].reason).toBe('是您无权修改的颜色');
  });

  it('stores the colours under D65, and refuses SCI and SCE of one name', async () => {
    const csv = 'name,L,a,b,Illuminant,Mode\nlit,10,1,1,D65,SCI\nlit,20,1,1,A,SCI\n';
    expect(await taken('colors', csv)).toMatchObject({
      ...{ applied: true, created: 1, refused: 0 },
      notes: expect.arrayContaining(['以下行不是在 D65 下测量的,未导入(A): 3']),
    });
    expect((await colorsOf(user, 'lit'))[0].targetLab.L).toBe(10);
    const refused = await taken('colors', `${csv}lit,30,1,1,D65,SCE\n`);
    expect(refused).toMatchObject({ applied: false, refused: 2 });
    expect(refused.faults[0].reason).toContain('同名的行测量条件不同');
  });

  it('an administrator, who may change the colours of all, changes the own one of a name', async () => {
    const csv = 'name,L,a,b\nof both,10,1,1\n';
    await taken('colors', csv);
    const admin = await service.register();
    const database = service.app.get(DataSource);
    await database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [admin.id]);
    await admin.post('/api/color/formulas', { name: 'of both', targetLab: { L: 1, a: 1, b: 1 } }).expect(201);
    expect(await taken('colors', csv.replace('10', '20'), admin)).toMatchObject({ updated: 1, refused: 0 });
    const changed = (await colorsOf(user, 'of both')).map(({ createdBy, targetLab }) => [
      createdBy,
      targetLab.L,
    ]);
    expect(Object.fromEntries(changed)).toEqual({ [user.id]: 10, [admin.id]: 20 });
  });

  it('a row with an id changes that colour, also its name; unknown ids are new colours once', async () => {
    const targetLab = { L: 2, a: 2, b: 2 };
    for (const deltaE of [1, 2]) await user.post('/api/color/formulas', { name: 'twice', targetLab, deltaE });
    const [one] = (await colorsOf(user, 'twice')).filter(({ deltaE }) => deltaE === 1);
    expect(await taken('colors', 'name,L,a,b\ntwice,2,2,3\n')).toMatchObject({
      refused: 1,
      faults: [{ reason: 'twice 对应2个已保存的颜色,请在 id 列中写明是哪一个' }],
    });
    expect(await taken('colors', `id,name,L,a,b\n${one.id},once,2,2,3\n`)).toMatchObject({ updated: 1 });
    expect(await colorsOf(user, 'once')).toMatchObject([{ id: one.id, targetLab: { b: 3 }, deltaE: 1 }]);
    const foreign = ['a', 'b'].map((digit) => `${digit.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa,foreign,5,5,5`);
    const csv = `id,name,L,a,b\n${foreign.join('\n')}\n`;
    expect(await taken('colors', csv)).toMatchObject({ created: 2 });
    expect(await taken('colors', csv)).toMatchObject({ created: 0, unchanged: 2 });
    expect(await taken('colors', 'id,name,L,a,b\n7,own number,5,5,5\n')).toMatchObject({
      created: 1,
      notes: ['"id"列是您自己的编号,各行按名称查找颜色(1行)'],
    });
  });

  it('links colours to formulas, and says which links it leaves out', async () => {
    const formula = await createFormula(user, wholeOf((await createIngredient(user)).id));
    const csv = `name,L,a,b,formulaId\nlinked,1,1,1,${formula.id}\nunlinked,1,1,1,${NIL}\n`;
    const { notes, created } = await taken('colors', csv);
    expect(created).toBe(2);
    expect(notes).toEqual(['以下行的"formulaId"不是您可查看的配方,未建立关联: 3']);
    const links = (await colorsOf(user, 'linked')).map(({ name, formulaId }) => [name, formulaId]);
    expect(Object.fromEntries(links)).toEqual({ linked: formula.id, unlinked: null });
  });
});

it('is for the role that IMPORT_ROLE names', async () => {
  const restricted = await bootApp({ settings: { IMPORT_ROLE: 'admin' } });
  try {
    const [engineer, admin] = [await restricted.register(), await restricted.register()];
    await restricted.app.get(UsersRepository).setRole(admin.username, 'admin');
    const csv = 'name,L,a,b\nx,1,1,1\n';
    expectError(await send('colors', csv, engineer), 403, '无权限执行此操作');
    expect((await send('colors', csv, admin)).status).toBe(200);
    const rows = await engineer
      .post('/api/ext/ingredients/compositions')
      .send({ rows: [{ ingredient: 'Water', inciName: 'Aqua', percentage: 100 }] });
    expectError(rows, 403, '无权限执行此操作');
    const mayImport = async (account: Account) =>
      (await account.get('/api/ext/me').expect(200)).body.data.rights.includes('files.import');
    expect([await mayImport(engineer), await mayImport(admin)]).toEqual([false, true]);
  } finally {
    await restricted.close();
  }
});

describe('POST /api/ext/import/formulas', () => {
  const versionsOf = async (account: Account, name: string) => {
    const found = (await account.get(`/api/formulas?search=${encodeURIComponent(name)}`).expect(200)).body
      .data;
    return found.map(({ id }: { id: string }) => id);
  };
  const compositionOf = async (id: string) => {
    const { versions } = (await user.get(`/api/formulas/${id}`).expect(200)).body.data;
    return versions[0].phases.map(({ name, ingredients }: any) => [
      name,
      ...ingredients.map(({ ingredient, percentage }: any) => [ingredient.inciName, percentage]),
    ]);
  };

  it('reads the table of a laboratory: percent with a balance line', async () => {
    await createIngredient(user, { inciName: 'Lab Water', chineseName: '实验水' });
    await createIngredient(user, { inciName: 'Lab Glycerin', chineseName: '实验甘油' });
    const csv =
      '面霜 2024\n相,原料,用量(%)\nA,实验水,余量\n,Lab Glycerin,"5,5"\nB,Lab Glycerin,"0,25"\n合计,,100\n';
    const answer = await taken(`formulas?name=${encodeURIComponent('导入面霜')}`, csv);
    expect(answer).toMatchObject({ applied: true, created: 1, refused: 0 });
    const [id] = await versionsOf(user, '导入面霜');
    expect(await compositionOf(id)).toEqual([
      ['A', ['Lab Water', 94.25], ['Lab Glycerin', 5.5]],
      ['B', ['Lab Glycerin', 0.25]],
    ]);
    expect(await taken(`formulas?name=${encodeURIComponent('导入面霜')}`, csv)).toMatchObject({
      created: 0,
      unchanged: 1,
    });
  });

  it.each([
    [1000, 1, undefined],
    [1001, 1, '配方超过200个相或1000行'],
    [200, 200, undefined],
    [201, 201, '配方超过200个相或1000行'],
  ])(
    'takes a formula of 1000 lines and 200 phases, and no larger one: %d in %d',
    async (lines, phases, reason) => {
      await createIngredient(user, { inciName: `Large ${lines}` });
      const rows = Array.from(
        { length: lines },
        (_, at) => `Large,${at % phases},Large ${lines},${100 / lines}`,
      );
      const answer = await taken('formulas?dryRun=true', ['formula,phase,INCI,%', ...rows].join('\n'));
      expect(answer).toMatchObject({ created: reason ? 0 : 1, refused: reason ? lines : 0 });
      expect(answer.faults[0]?.reason).toBe(reason);
    },
  );

  it('makes grams percent, and creates ingredients where asked to', async () => {
    const csv = 'formula,INCI,中文名,grams\nGram Cream,New Gram A,新甲,2\nGram Cream,New Gram B,新乙,1\n';
    const refused = await taken('formulas', csv);
    expect(refused).toMatchObject({ applied: false, refused: 2 });
    expect(refused.faults[0]).toMatchObject({
      row: 2,
      reason: '不是原料库中的成分: "New Gram A"',
    });
    expect(await taken('formulas?createIngredients=true&dryRun=true', csv)).toMatchObject({
      applied: false,
      created: 1,
    });
    expect(await taken('formulas?createIngredients=true', csv)).toMatchObject({ applied: true, created: 1 });
    const [id] = await versionsOf(user, 'Gram Cream');
    const { versions } = (await user.get(`/api/formulas/${id}`).expect(200)).body.data;
    expect(JSON.stringify(versions[0].snapshotData)).toMatch(
      /^\{"phases":\[\{"name":"配方","sortOrder":1,"ingredients":\[\{"ingredientId"/,
    );
    expect((await compositionOf(id))[0].slice(1)).toEqual([
      ['New Gram A', 66.6667],
      ['New Gram B', 33.3333],
    ]);
  });

  it('guesses neither an ingredient nor a decimal mark, nor leaves out a row', async () => {
    await createIngredient(user, { inciName: 'Twice', supplier: 'one' });
    await createIngredient(user, { inciName: 'Twice', supplier: 'two' });
    const twice = await taken('formulas?name=x', 'INCI,%\nTwice,100\n');
    expect(twice.faults[0].reason).toContain('有2个成分名为');
    expect(await taken('formulas?name=x', 'INCI,supplier,%\nTwice,two,100\n')).toMatchObject({ created: 1 });
    const comma = await taken('formulas?name=y', 'INCI,supplier,%\nTwice,two,"1,250"\nTwice,one,rest\n');
    expect(comma.faults[0].reason).toContain('该列没有其他单元格可以判断');
    const partial = await taken(
      'formulas?name=y&partial=true',
      'INCI,supplier,%\nTwice,two,abc\nTwice,one,rest\n',
    );
    expect(partial).toMatchObject({ applied: false, refused: 1 });
    expectError(
      await send('formulas?name=z', 'INCI,用量\nTwice,100\n'),
      400,
      expect.stringContaining('用量'),
    );
  });

  it.each(['0.5¹', '0.5₁', '0.5①', '0.5³%'])(
    'does not read a footnote mark as a digit: %s',
    async (amount) => {
      await createIngredient(user, { inciName: `Marked ${amount}` });
      const csv = `INCI,%\nMarked ${amount},99.5\nLab Water,${amount}\n`;
      const answer = await taken('formulas?name=marked', csv);
      expect(answer).toMatchObject({ applied: false });
      expect(answer.faults).toContainEqual(expect.objectContaining({ row: 3, value: amount }));
    },
  );

  it.each([
    ['Total,500', '%', 'Row 4 says 500, and its lines add up to 100'],
    ['Total,99.2', '%', 'Row 4 says 99.2, and its lines add up to 100'],
    ['Zwischensumme,120', '%', 'Row 4 says 120, and its lines add up to 100'],
    [',98', 'INCI', 'no column names the ingredient'],
    ['Total White Base X,100', 'INCI', 'is no ingredient of the catalogue: "Total White Base X"'],
  ])('compares a sum with its lines: %s', async (row, column, reason) => {
    const csv = `INCI,%\nLab Water,95\nLab Glycerin,5\n${row}\n`;
    const { body } = await send('formulas?name=sums', csv).set('X-Language', 'en').expect(200);
    expect(body.data.faults).toContainEqual(expect.objectContaining({ row: 4, column, reason }));
  });

  it('creates no ingredient for a sum or a phase, by whatever word', async () => {
    const grams = (word: string) => `INCI,g\nLab Water,450\nLab Glycerin,25\n${word},475\nLab Glycerin,25\n`;
    const query = 'formulas?name=subtotals&createIngredients=true&dryRun=true';
    expect(await taken(query, `${grams('Zwischensumme')}Total,500\n`)).toMatchObject({
      refused: 0,
      created: 1,
      notes: ['合计行未读取(2行)'],
    });
    expect(await taken(query, `${grams('')}Total,510\n`)).toMatchObject({
      refused: 5,
      faults: [{ row: 6, value: '510', reason: '第6行写明合计510,而所属各行相加为500' }],
    });
    for (const word of ['Unbekannt', 'Phase A']) {
      expect(await taken(query, grams(word))).toMatchObject({ faults: [{ row: 4, value: word }] });
    }
  });

  describe('tables as laboratories write them', () => {
    beforeAll(() => createIngredient(user, { inciName: 'Lab Squalane', chineseName: '实验角鲨烷' }));
    const read = async (csv: string | Buffer, map = '') => {
      const path = `/api/ext/import/formulas?name=read&dryRun=true${map && `&map=${encodeURIComponent(map)}`}`;
      const headers = { 'Content-Type': 'application/octet-stream', 'X-Language': 'en' };
      const { body } = await user.post(path).set(headers).send(csv);
      return (
        body.error ?? [...body.data.faults.map(({ reason }: any) => reason), ...body.data.notes].join('; ')
      );
    };

    it.each([
      [
        'names of two ingredients',
        'INCI,中文名,%\nLab Water,实验水,95\nLab Glycerin,实验角鲨烷,5\n',
        'is "Lab Squalane", and the row names "Lab Glycerin"',
      ],
      [
        'an unknown name beside',
        'INCI,原料,%\nLab Water,实验水,95\nLab Glycerin,某某,5\n',
        '某某 → Lab Glycerin',
      ],
      ['grouped numbers', 'INCI,g\nLab Water,"1,187.5"\nLab Glycerin,62.5\n', ''],
      ['grouped numbers with commas', 'INCI;g\nLab Water;1.187,5\nLab Glycerin;62,5\n', ''],
      ['a comma in a name of a column', 'Ингредиент;Содержание, %\nLab Water;95\nLab Glycerin;5\n', ''],
      ['units of shares', 'INCI,%\nLab Water,94.9\nLab Glycerin,5%w/w\nLab Squalane,1000 ppm\n', ''],
      [
        'words between lines',
        'INCI,%,phase\nLab Water,95,A\nHeat A to 75 °C and mix,,\nLab Glycerin,5,B\n',
        'Lines with nothing but a note or heading were not read: 3 ("Heat A to 75 °C and mix") (1 row)',
      ],
      [
        'a line without an amount',
        'INCI,%,phase\nLab Water,95,A\nLab Squalane,,\nLab Glycerin,5,B\n',
        'is empty',
      ],
      ['a colour', 'INCI,%,L,a,b\nLab Water,95,50,1,1\nLab Glycerin,5,50,1,1\n', 'not read: L, a, b'],
      ['litres', 'INCI,L\nLab Water,100\n', 'with map "L=milliliters"'],
      ['a volume beside a share', 'INCI,%,mL\nLab Water,100,100\n', 'is a second amount'],
      ['centilitres', 'INCI,cL\nLab Water,100\n', 'The column "cL" has volumes'],
      ['volumes in percent', 'INCI,% v/v\nLab Water,100\n', 'The column "% v/v" has volumes'],
      [
        'no amounts that are known',
        'INCI,phr\nLab Water,100\n',
        'The file has no column for percentage. Its columns are "INCI", "phr"',
      ],
      [
        'no names of ingredients',
        'Trade,%\nLab Water,95\nLab Glycerin,5\n',
        'The file has no column for ingredient. Its columns are "Trade", "%"',
      ],
      [
        'no row with data',
        'INCI,%\nfoo\nbar\n',
        'Lines with nothing but a note or heading were not read: 2, 3',
      ],
    ])('%s', async (_, csv, expected) => {
      if (expected === '') expect(await read(csv)).toBe('');
      else expect(await read(csv)).toContain(expected);
    });

    it('makes volumes masses by the densities of cards, and says how', async () => {
      const found = async (name: string) =>
        (await user.get(`/api/ingredients?search=${name}`).expect(200)).body.data[0].id as string;
      const setDensity = async (name: string, density: number | null) => {
        const card = { suppliers: [], documents: [], density };
        await user.put(`/api/ext/ingredients/${await found(name)}/card`, card).expect(200);
      };
      await setDensity('Lab%20Glycerin', 1.26);
      const csv = 'INCI,g,Amount (mL)\nLab Water,,1000\nLab Glycerin,,500\nLab Squalane,370,\n';
      const refused = 'is a volume, and the card of the raw material has no density';
      const send = async (query = '', file = csv) =>
        (
          await user
            .post(`/api/ext/import/formulas?name=Volumes${query}`)
            .set({ 'Content-Type': 'text/csv', 'X-Language': 'en' })
            .send(file)
            .expect(200)
        ).body.data;
      expect(await send()).toMatchObject({
        ...{ applied: false, created: 0 },
        faults: [{ row: 2, column: 'Amount (mL)', value: '1000', reason: expect.stringContaining(refused) }],
      });
      await setDensity('Lab%20Water', 1);
      const answer = await send();
      expect(answer).toMatchObject({ applied: true, created: 1, faults: [] });
      expect(answer.notes).toEqual(['Row 2: 1000 mL × 1 kg/L = 1000 g', 'Row 3: 500 mL × 1.26 kg/L = 630 g']);
      const { data } = (await user.get('/api/formulas?search=Volumes').expect(200)).body;
      const stored = (await user.get(`/api/formulas/${data[0].id}`).expect(200)).body.data.versions[0];
      expect(stored.phases[0].ingredients.map((line: { percentage: number }) => line.percentage)).toEqual([
        50, 31.5, 18.5,
      ]);
      expect(
        await send('&map=Amount=grams', 'INCI,Amount\nLab Water,1 L\nLab Glycerin,1000 g\n'),
      ).toMatchObject({
        ...{ applied: true, notes: ['Row 2: 1000 mL × 1 kg/L = 1000 g'] },
      });
      const creates = await send('&createIngredients=true', `${csv}Made By Volume,,5\nSumme,2005,\n`);
      expect(creates).toMatchObject({ applied: false });
      expect(creates.faults).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            row: 5,
            reason: expect.stringContaining('no ingredient of the catalogue'),
          }),
        ]),
      );
      await setDensity('Lab%20Water', null);
      await setDensity('Lab%20Glycerin', null);
    });

    it('takes no volumes for shares, although the user says so', async () => {
      expect(await read('INCI,L\nLab Water,100\n', 'L=grams')).toContain('The column "L" has volumes');
      expect(await read('INCI,mL,g\nLab Water,100,100\n', 'mL=')).toBe('');
    });

    it('takes a column L, a and b for a colour, and for litres only where the user says so', async () => {
      const note = 'Columns without a field, not read: L, a, b';
      expect(await read('INCI,%,L,a,b\nLab Water,100,50,1,2\n')).toBe(note);
      expect(await read('INCI,L\nLab Water,100\n')).toContain('map "L=milliliters"');
      expect(await read('INCI,L\nLab Water,100\n', 'L=milliliters')).toContain('has no density');
    });

    it.each(['-', '–', '/', '', '0'])('notes a line that is not in the chosen trial: %s', async (amount) => {
      const csv = `INCI,F1 (%),F2 (%)\nLab Water,90,95\nLab Glycerin,7,5\nLab Squalane,3,${amount}\n`;
      const note = 'Lines with an amount only in a column that is left out were not read: 4';
      expect(await read(csv, 'F1 (%)=;F2 (%)=percentage')).toBe(note);
      expect(await read(csv.replace('F1 (%)', 'cost'), 'cost=;F2 (%)=percentage')).not.toContain(note);
    });

    it.each([
      ['0.000&quot; kg&quot;', ''],
      ['0.0&quot; g&quot;', '9.5 g of 509.5 g are 1.8646 %'],
      ['0.0\\ \\l\\b', '"9.5 lb" is not a number', '%='],
      ['0.0,&quot; kg&quot;', 'is not a number', '%='],
      ['0.0&quot; %&quot;', 'is not a number', '%='],
    ])('reads what a cell shows: %s', async (format, expected, map = '') => {
      const parts = workbookParts([
        ['INCI', 'Qty (g)', '%'],
        ['Lab Water', 9.5, 95],
        ['Lab Glycerin', 500, 5],
      ]);
      const sheet = 'xl/worksheets/sheet1.xml';
      parts[sheet] = parts[sheet]!.replace('r="B2"', 'r="B2" s="1"');
      const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
      const answer = await read(zipFile({ ...parts, 'xl/styles.xml': styles }), map);
      expect(answer).toContain(expected);
    });
  });

  it('says in a new version which file made it, unless the user gives another reason', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const line = (percentage: number) => ({ ingredientId, percentage });
    const phases = [{ name: 'A', sortOrder: 1, ingredients: [line(60), line(40)] }];
    const { id } = await createFormula(user, phases, { name: '由文件修订' });
    const revised = async (reason: string, first: number) => {
      const rows = [first, 100 - first].map(
        (percent) => `${id},X,${reason},${ingredientId},A,1,${percent}\n`,
      );
      const csv = `formulaId,formula,versionDescription,ingredientId,phase,phaseOrder,%\n${rows.join('')}`;
      const sent = user.post('/api/ext/import/formulas').attach('file', Buffer.from(csv), '面霜 2.csv');
      expect((await sent.expect(200)).body.data).toMatchObject({ updated: 1 });
      return (await user.get(`/api/formulas/${id}`)).body.data.versions[0].description;
    };
    expect(await revised('', 50)).toBe('由文件导入 面霜 2.csv');
    expect(await revised('Less water', 30)).toBe('Less water');
    expect(await revised('Less water', 20)).toBe('由文件导入 面霜 2.csv');
  });

  it('does not take a name with a footnote mark for a longer number', async () => {
    await createIngredient(user, { inciName: 'Marketh-21' });
    const answer = await taken('formulas?name=x', 'INCI,%\nMarketh-2¹,100\n');
    expect(answer.faults[0].reason).toContain('不是原料库中的成分: "Marketh-2¹"');
  });

  it('revises a formula by its id, if the user may', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const line = (percentage: number) => ({ ingredientId, percentage });
    const phases = [{ name: 'A', sortOrder: 1, ingredients: [line(60), line(40)] }];
    const { id } = await createFormula(user, phases, { name: '修订配方' });
    const csv = (await user.get('/api/ext/export/formulas?format=csv').expect(200)).text;
    expect(await taken('formulas', csv)).toMatchObject({ created: 0, updated: 0, refused: 0 });
    const changed = csv.replace(/,60,,\r/, ',59.9,,\r').replace(/,40,,\r/, ',40.1,,\r');
    const other = await service.register();
    expect(await taken('formulas', changed, other)).toMatchObject({ applied: false, updated: 0, refused: 2 });
    expect(await taken('formulas', changed)).toMatchObject({ applied: true, updated: 1 });
    expect((await user.get(`/api/formulas/${id}`)).body.data.currentVersion).toBe(2);
  });

  it('says of whose rows later ones count, and refuses a record of a JSON file that has only a name', async () => {
    const csv = 'INCI,中文名,类别\nReplaced One,一,other\nReplaced One,二,other\nReplaced One,三,other\n';
    const { replaced, notes } = await taken('ingredients?dryRun=true', csv);
    expect(replaced).toBe(2);
    expect(notes).toContain('同一记录有多行,以后面的行为准(行号 → 采用的行): 2 → 4、3 → 4');
    const json = JSON.stringify([{ inciName: 'NewZ' }, { inciName: 'NewY', chineseName: '新' }]);
    const { faults } = (
      await user.post('/api/ext/import/ingredients').type('application/octet-stream').send(json).expect(200)
    ).body.data;
    expect(faults).toEqual([
      {
        row: 2,
        column: 'inciName',
        value: 'NewZ',
        reason: 'NewZ 不在原料库中,新建还缺少 chineseName、functionCategory(或 cosingFunctions)',
      },
      expect.objectContaining({ row: 3, column: 'inciName', value: 'NewY' }),
    ]);
    const refused = await taken('ingredients?match=cas', 'CAS号,单价\n999-99-9,1\n');
    expect(refused.faults).toEqual([
      { row: 2, column: 'CAS号', value: '999-99-9', reason: '"999-99-9"不是有效的 CAS 号' },
    ]);
  });

  it('lists faults without their consequences, and no sum of a formula with an unreadable row', async () => {
    await createIngredient(user, { inciName: 'Part', supplier: null });
    const rows = (first: string) => `INCI,%\n${first}\n${'Part,5\n'.repeat(19)}`;
    const unknown = await taken('formulas?name=c', rows('Nobody Knows,5'));
    expect(unknown).toMatchObject({
      refused: 20,
      faults: [{ row: 2, column: 'INCI', value: 'Nobody Knows' }],
    });
    expect(unknown.faults).toHaveLength(1);
    const file = (await user.get(unknown.refusedRows.path).expect(200)).text;
    expect(file.match(/所属配方的其他行有误/g)).toHaveLength(19);
    const unreadable = await taken('formulas?name=c', rows('Part,abc'));
    expect(unreadable.faults.map(({ row, column }: any) => [row, column])).toEqual([[2, '%']]);
    const sum = await taken('formulas?name=c', rows('Part,1'));
    expect(sum.faults).toEqual([
      { row: 2, column: '%', value: '96', reason: expect.stringContaining('当前为96') },
    ]);
    const order = await taken('formulas?name=c', 'INCI,%,相序\nPart,100,99999999999\n');
    expect(order.faults[0].reason).toBe('"99999999999"不是-2147483647到2147483647之间的整数');
  });

  it('puts a new formula into the project of its name, and into none where two have it', async () => {
    await createIngredient(user, { inciName: 'Projected', supplier: null });
    const [only] = [
      await createProject(user, { name: 'Only one' }),
      await createProject(user, { name: 'One of two' }),
      await createProject(user, { name: 'One of two' }),
    ];
    const csv = 'formula,project,INCI,%\nIn one,Only one,Projected,100\nIn none,One of two,Projected,100\n';
    const { notes } = await taken('formulas', csv);
    expect(JSON.stringify(notes)).toContain('One of two');
    expect(JSON.stringify(notes)).not.toContain('Only one');
    const projectOf = async (name: string) => {
      const [id] = await versionsOf(user, name);
      return (await user.get(`/api/formulas/${id}`).expect(200)).body.data.projectId;
    };
    expect([await projectOf('In one'), await projectOf('In none')]).toEqual([only!.id, null]);
  });

  it('notes in a dry run what an import would note: projects, and names that stay', async () => {
    const { id: ingredientId } = await createIngredient(user, { inciName: 'Noted', supplier: null });
    const phases = [{ name: 'A', sortOrder: 1, ingredients: [{ ingredientId, percentage: 100 }] }];
    const { id } = await createFormula(user, phases, { name: 'Noted formula' });
    const csv = `formulaId,formula,project,INCI,phase,phaseOrder,%\n,New one,No Project,Noted,A,1,100\n${id},Renamed,,Noted,A,1,100\n`;
    const expected = [
      '没有名为"No Project"的项目或有多个,其配方不归入项目',
      '文件中1个已有配方的名称、说明、项目或产品档案与已保存的不同,均未修改',
    ];
    const trial = await taken('formulas?dryRun=true', csv);
    expect(trial).toMatchObject({ created: 1, unchanged: 1 });
    expect(trial.notes).toEqual(expect.arrayContaining(expected));
    expect((await taken('formulas', csv)).notes).toEqual(expect.arrayContaining(expected));
  });
});
