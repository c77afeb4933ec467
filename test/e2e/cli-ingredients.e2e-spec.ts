import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ImportRepository } from '../../src/files/import-repository';
import { RowFilter } from '../../src/platform/access/row-filter';
import { TransactionManager } from '../../src/platform/database/transaction-manager';
import { IngredientImportService } from '../../src/ingredients/ingredient-import.service';
import { type Account, bootApp, type TestApp } from '../support/app';
import { cli } from '../support/cli';
import { xlsxFile } from '../support/zip-file';

interface Ingredient {
  id: string;
  inciName: string;
  chineseName: string;
  functionCategory: string;
  supplier: string | null;
  unit: string;
  unitPrice: number | null;
  description: string | null;
}

describe('ingredients import and export', () => {
  let service: TestApp;
  let user: Account;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
    service = await bootApp();
    user = await service.register();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.app.get(DataSource).query('DELETE FROM ingredients');
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]) => cli(args, { app: service.app });

  async function file(content: string | Buffer, name = 'file.csv'): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  async function importText(content: string | Buffer, ...options: string[]) {
    return run('ingredients', 'import', await file(content), ...options);
  }

  async function catalogue(): Promise<Ingredient[]> {
    const all: Ingredient[] = [];
    for (let page = 1; ; page++) {
      const { body } = await user.get(`/api/ingredients?limit=100&page=${page}`).expect(200);
      all.push(...body.data);
      if (page >= body.pagination.totalPages) return all.sort((a, b) => (a.inciName < b.inciName ? -1 : 1));
    }
  }

  /** Has `work` done after each batch of rows that an import inserts, inside its transaction. */
  function afterEachInsert(work: () => void | Promise<void>): void {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on its own object
    const { insert } = ImportRepository.prototype;
    jest.spyOn(ImportRepository.prototype, 'insert').mockImplementation(async function (
      this: ImportRepository,
      batch,
    ) {
      const ids = await insert.call(this, batch);
      await work();
      return ids;
    });
  }

  const counts = (stdout: string) =>
    Object.fromEntries(
      [...stdout.matchAll(/^ +([\d,]+) {2}(\w+)/gm)].map(([, count = '', label = '']) => [
        label,
        Number(count.replaceAll(',', '')),
      ]),
    );

  it('imports about 7,000 rows, and finds them all unchanged the second time', async () => {
    const functions = [
      'Humectant, Solvent',
      'Preservative',
      'Skin Conditioning',
      '',
      'Surfactant - Emulsifying',
    ];
    const rows = Array.from(
      { length: 6975 },
      (_, n) => `"INGREDIENT, NO. ${n === 6974 ? 17 : n}",成分${n},"${functions[n % functions.length]}",${n}`,
    );
    const path = await file(
      `\ufeffinciName,chineseName,cosingFunctions,iecicSerial\r\n${rows.join('\r\n')}\r\n`,
    );

    const first = await run('ingredients', 'import', path);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^file\.csv, 6,975 rows: imported$/m);
    expect(counts(first.stdout)).toEqual({
      created: 6974,
      updated: 0,
      unchanged: 0,
      replaced: 1,
      refused: 0,
    });
    expect(first.stdout).toContain('line 19: INGREDIENT, NO. 17 (line 6976 counts)');
    expect(first.stderr).toContain('iecicSerial');
    const { body } = await user.get(`/api/ingredients?search=${encodeURIComponent('成分6974')}`).expect(200);
    expect(body.data).toEqual([
      expect.objectContaining({
        inciName: 'INGREDIENT, NO. 17',
        chineseName: '成分6974',
        functionCategory: 'emulsifier',
        supplier: null,
        unit: 'kg',
        unitPrice: null,
        description: null,
      }),
    ]);

    const second = await run('ingredients', 'import', path);
    expect(second.code).toBe(0);
    expect(counts(second.stdout)).toEqual({
      created: 0,
      updated: 0,
      unchanged: 6974,
      replaced: 1,
      refused: 0,
    });
    const { body: list } = await user.get('/api/ingredients').expect(200);
    expect(list.pagination.total).toBe(6974);
  });

  it('updates prices from two columns and nothing else', async () => {
    await importText(
      'inciName,chineseName,functionCategory,supplier,unit,unitPrice,description\n' +
        'Glycerin,甘油,humectant,BASF,g,10,USP\nPhenoxyethanol,苯氧乙醇,preservative,,kg,80,\n',
    );
    const before = await catalogue();
    const outcome = await importText('INCI name,Price\nGLYCERIN,12.5\nphenoxyethanol,80\n');
    expect(outcome.code).toBe(0);
    expect(counts(outcome.stdout)).toEqual({ created: 0, updated: 1, unchanged: 1, replaced: 0, refused: 0 });
    expect(await catalogue()).toEqual(
      before.map((row) => (row.inciName === 'Glycerin' ? { ...row, unitPrice: 12.5 } : row)),
    );
  });

  it('keeps an existing category against a suggested one, but not against a given one', async () => {
    await importText('inciName,chineseName,functionCategory\nPanthenol,泛醇,other\n');
    const suggested = await importText('inciName,chineseName,cosingFunctions\nPANTHENOL,泛醇,Humectant\n');
    expect(counts(suggested.stdout).unchanged).toBe(1);
    await importText('inciName,functionCategory\nPANTHENOL,humectant\n');
    expect((await catalogue())[0]).toMatchObject({ inciName: 'Panthenol', functionCategory: 'humectant' });
  });

  it('tells suppliers apart, and refuses a row that matches several records', async () => {
    const two =
      'inciName,chineseName,functionCategory,supplier,unitPrice\nGlycerin,甘油,humectant,A,1\nGlycerin,甘油,humectant,B,2\n';
    expect(counts((await importText(two)).stdout).created).toBe(2);
    expect(counts((await importText('inciName,supplier,unitPrice\nglycerin,B,3\n')).stdout).updated).toBe(1);

    const ambiguous = await importText('inciName,unitPrice\nGlycerin,9\n');
    expect(ambiguous.code).toBe(1);
    expect(ambiguous.stdout).toMatch(
      /line 2: Glycerin matches 2 ingredients of the catalogue: name the supplier/,
    );
    expect((await catalogue()).map(({ unitPrice }) => unitPrice).sort()).toEqual([1, 3]);
  });

  it('is all or nothing: one refused row keeps the file out, unless asked otherwise', async () => {
    const text =
      'inciName,chineseName,functionCategory,unitPrice\n' +
      'Glycerin,甘油,humectant,-1\nPanthenol,泛醇,moisturiser,2\nSqualane,角鲨烷,emollient,3\n,空,other,1\n';
    const refused = await importText(text);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('nothing was changed');
    expect(refused.stdout).toContain('line 2: unitPrice: must not be negative, is -1');
    expect(refused.stdout).toContain('line 3: functionCategory: "moisturiser" is no category');
    expect(refused.stdout).toContain('line 5: inciName: is empty');
    expect(await catalogue()).toEqual([]);

    const others = await importText(text, '--skip-refused');
    expect(others.code).toBe(0);
    expect(counts(others.stdout)).toMatchObject({ created: 1, refused: 3 });
    expect((await catalogue()).map(({ inciName }) => inciName)).toEqual(['Squalane']);
  });

  it('reports and changes nothing with --dry-run', async () => {
    await importText('inciName,chineseName,functionCategory,unitPrice\nGlycerin,甘油,humectant,1\n');
    const before = await catalogue();
    const outcome = await importText(
      'inciName,chineseName,functionCategory,unitPrice\nGlycerin,甘油,humectant,2\nUrea,尿素,humectant,3\n',
      '--dry-run',
    );
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('dry run, nothing was changed');
    expect(counts(outcome.stdout)).toMatchObject({ created: 1, updated: 1 });
    expect(await catalogue()).toEqual(before);
  });

  it('says on standard error how far it is, and nothing else there', async () => {
    const file =
      'inciName,chineseName,functionCategory,size\nGlycerin,甘油,humectant,1\nUrea,尿素,humectant,2\n';
    const reading = 'Columns without a field, ignored: size\n2 rows read\n';
    const comparing = 'Comparing with the catalogue ...\n';
    expect((await importText(file, '--dry-run')).stderr).toBe(`${reading}${comparing}`);
    expect((await importText(file)).stderr).toBe(`${reading}${comparing}Writing ...\n`);
    expect((await importText(file)).stderr).toBe(`${reading}${comparing}`);
    expect((await run('ingredients', 'export')).stderr).toBe('Writing ...\n2 ingredients written\n');
  });

  it('maps columns as told', async () => {
    const text = 'Name,Preis,inciName\nGlycerin,5,x\n';
    await importText('inciName,chineseName,functionCategory\nGlycerin,甘油,humectant\n');
    const outcome = await importText(text, '--map', 'Name=inciName', '--map', 'Preis=unitPrice');
    expect(outcome.code).toBe(0);
    expect((await catalogue())[0]?.unitPrice).toBe(5);
  });

  it('stores the names of supplier files, and finds ingredients by their CAS numbers', async () => {
    const header = 'INCI,中文名,类别,CAS号,别名';
    const { stdout } = await importText(
      `${header}\nGlycerin,甘油,humectant,56-81-5,丙三醇\nBad,坏,other,1-2-3,\n`,
    );
    expect(counts(stdout)).toMatchObject({ created: 2, refused: 0 });
    expect(stdout).toContain('"CAS号": "1-2-3" is no CAS number and was not used (1 row)');
    const id = (await catalogue()).find(({ inciName }) => inciName === 'Glycerin')!.id;
    const { data } = (await user.get(`/api/ext/ingredients/${id}/names`).expect(200)).body;
    expect(data).toMatchObject({ casNumbers: ['56-81-5'], synonyms: ['丙三醇'] });
    const priced = await importText('CAS,price\n56-81-5,7\n', '--match', 'cas');
    expect(counts(priced.stdout)).toMatchObject({ updated: 1 });
    expect((await catalogue()).find((ingredient) => ingredient.id === id)!.unitPrice).toBe(7);
  });

  it('reads XLSX', async () => {
    const path = await file(
      xlsxFile([
        ['INCI name', '中文名称', 'functionCategory', '单价'],
        ['Glycerin', '甘油', '保湿剂', 12.5],
        ['Carbomer', '卡波姆', 'thickener', 0.1],
      ]),
      'file.xlsx',
    );
    expect((await run('ingredients', 'import', path)).code).toBe(0);
    expect(await catalogue()).toMatchObject([
      { inciName: 'Carbomer', functionCategory: 'thickener', unitPrice: 0.1 },
      { inciName: 'Glycerin', functionCategory: 'humectant', unitPrice: 12.5 },
    ]);
  });

  it('takes rows that differ in spaces only for one ingredient, of which the last row counts', async () => {
    const { stdout } = await importText(
      'inciName,chineseName,functionCategory\nCetyl Alcohol,甲,other\nCetyl  Alcohol,乙,other\n',
    );
    expect(counts(stdout)).toMatchObject({ created: 1, replaced: 1 });
  });

  it('takes names that differ in form, width, case or what nobody sees for one, in a file and in the catalogue', async () => {
    const names = ['Café', 'EDTA', 'Zinc Oxide', 'A29 İx', 'Vitamin', 'Glycerin'];
    const others = ['Cafe\u0301', 'ＥＤＴＡ', 'zinc\u00a0oxide', 'a29 ix', 'VITAMIN\u200b', 'Gly\u00adcerin'];
    const text = (rows: string[]) =>
      `inciName,chineseName,functionCategory\n${rows.map((name) => `${name},成分,other\n`).join('')}`;
    expect(counts((await importText(text(names))).stdout)).toMatchObject({ created: 6 });
    expect(counts((await importText(text(others))).stdout)).toMatchObject({ created: 0, unchanged: 6 });
    expect(counts((await importText(text([...names, ...others]))).stdout)).toMatchObject({
      ...{ unchanged: 6, replaced: 6 },
    });
    expect((await catalogue()).map(({ inciName }) => inciName).sort()).toEqual([...names].sort());
  });

  it('never loses the prices of a list with exit code 0', async () => {
    await importText('inciName,chineseName,functionCategory,unit\nGlycerin,甘油,humectant,g\n');
    for (const column of ['元/桶', 'Preis je Fass', '总价', 'Unit']) {
      const { code, stderr } = await importText(`inciName,${column} X\nGlycerin,5\n`);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is not understood') });
    }
    const outcome = await importText('Stand 2026\n\nINCI;Preis/kg €\nGlycerin;1.250,50\n');
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('"Preis/kg €": prices are per kg (1 row)');
    expect(outcome.stdout).toContain('Line 1, above the header, was not read');
    expect((await catalogue())[0]).toMatchObject({ unitPrice: 1250.5, unit: 'kg' });
    const other = await importText('inciName,unit,元/kg\nGlycerin,g,5\n');
    expect(other.stdout).toContain('line 2: unit: is "g", and prices are per kg ("元/kg")');
    expect(other.code).toBe(1);
  });

  it('says of twins that the API allows that an import cannot tell them apart', async () => {
    const row = { inciName: 'Urea', chineseName: '尿素', functionCategory: 'humectant' };
    for (const inciName of ['Urea', 'UREA'])
      await user.post('/api/ingredients', { ...row, inciName }).expect(201);
    const { stderr, code } = await run('ingredients', 'export');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /An import cannot tell apart those that are stored more than once: u(?:rea)/i,
      ),
    });
    const refused = await run('ingredients', 'export', join(folder, 'x.xls'));
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('an export is a CSV, XLSX or JSON file'),
    });
  });

  it('notes functions that CosIng does not have', async () => {
    const { stdout } = await importText(
      'inciName,chineseName,cosingFunctions\nA,甲,Humectent\nB,乙,"Humectent, Solvent"\n',
    );
    expect(stdout).toContain('"Humectent" is no CosIng function and was not used (2 rows)');
  });

  it.each([
    [
      'GBK text',
      Buffer.from([0x69, 0x2c, 0x0a, 0xb8, 0xca, 0xd3, 0xcd, 0x0a]),
      /Line 2 is not UTF-8 text.*GBK/,
    ],
    ['no INCI name column', 'name,price\na,1\n', /no column for inciName. Its columns are "name", "price"/],
    [
      'broken quoting',
      'inciName,chineseName\nGlycerin,"甘油\n',
      /line 2: a quote is opened and never closed/,
    ],
    ['nothing', '', /is empty/],
    ['300 MB', Buffer.alloc(300 * 1024 * 1024, 'Glycerin,1\n'), /larger than 256 MB/],
  ])('refuses a file of %s, and changes nothing', async (_, content, message) => {
    const outcome = await importText(content);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).toContain('file.csv');
    expect(outcome.stdout).toBe('');
    expect(await catalogue()).toEqual([]);
  });

  it('leaves no half import when a statement fails', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `I${n},成分,other,1`);
    const path = await file(`inciName,chineseName,functionCategory,unitPrice\n${rows.join('\n')}\n`);
    let calls = 0;
    afterEachInsert(() => {
      if (++calls === 2) throw new Error('power cut');
    });
    const outcome = await run('ingredients', 'import', path);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('power cut');
    expect(await catalogue()).toEqual([]);
  });

  it('does not double what two imports bring at once', async () => {
    const rows = Array.from({ length: 1500 }, (_, n) => `I${n},成分,other`);
    const path = await file(`inciName,chineseName,functionCategory\n${rows.join('\n')}\n`);
    const outcomes = await Promise.all([1, 2, 3].map(() => run('ingredients', 'import', path)));
    expect(outcomes.map(({ stdout }) => counts(stdout).created).sort()).toEqual([0, 0, 1500]);
    const { body } = await user.get('/api/ingredients?limit=1').expect(200);
    expect(body.pagination.total).toBe(1500);
  });

  it('keeps its promises to readers and formulas while it writes', async () => {
    // The import holds its lock until its transaction ends; lists and new formulas must not wait for that.
    const { body } = await user
      .post('/api/ingredients', { inciName: 'Water', chineseName: '水', functionCategory: 'other' })
      .expect(201);
    const line = { ingredientId: body.data.id, percentage: 100 };
    const requests = () =>
      Promise.all([
        user.get('/api/ingredients'),
        user.post('/api/formulas', { name: 'F', phases: [{ name: 'A', sortOrder: 1, ingredients: [line] }] }),
      ]);
    let started: ReturnType<typeof requests> | undefined;
    afterEachInsert(async () => {
      started = requests();
      // The embedded database has one session: there everything waits for the transaction.
      if (!process.env.TEST_DATABASE_URL) return;
      // Who would wait here waits for this very function: end it rather than hang.
      const waiting = new Promise<never>((_resolve, reject) =>
        setTimeout(() => reject(new Error('readers or formulas wait for the import')), 20_000).unref(),
      );
      await Promise.race([started, waiting]);
    });
    const outcome = await importText('inciName,chineseName,functionCategory\nUrea,尿素,humectant\n');
    expect(outcome.code).toBe(0);
    const [list, formula] = await started!;
    // Beside the import they see what was there before it, after it what it brought.
    const total = process.env.TEST_DATABASE_URL ? 1 : 2;
    expect([list.status, list.body.pagination.total, formula.status]).toEqual([200, total, 201]);
    await user.delete(`/api/formulas/${formula.body.data.id}`).expect(204);
  });

  describe('export', () => {
    const tricky = [
      { inciName: '1,2-Hexanediol', chineseName: '1,2-己二醇', description: 'say "hi",\r\nthen\nleave' },
      { inciName: '=cmd|calc', chineseName: '+1', supplier: "'=x", description: '@sum' },
      { inciName: '-dash', chineseName: '＝全角', description: "'plain" },
      { inciName: 'Urea', chineseName: '尿素', unitPrice: 0.1, unit: 'g', description: ' spaced \n' },
      { inciName: 'Ürea', chineseName: '𠮷', unitPrice: 1e-7, description: '\ttab' },
      { inciName: 'Zinc Oxide', chineseName: '氧化锌', unitPrice: 123456789.123, supplier: 'A, B & "C"' },
    ];

    it('writes what import reads back unchanged, here and into an empty catalogue', async () => {
      for (const row of tricky)
        await user.post('/api/ingredients', { functionCategory: 'other', ...row }).expect(201);
      const path = join(folder, 'export.csv');
      await rm(path, { force: true });
      const outcome = await run('ingredients', 'export', path);
      expect(outcome).toMatchObject({ code: 0, stdout: '' });
      expect(outcome.stderr).toContain(`6 ingredients written to ${path}`);

      const again = await run('ingredients', 'import', path);
      expect(counts(again.stdout)).toEqual({ created: 0, updated: 0, unchanged: 6, replaced: 0, refused: 0 });

      const without = (rows: Ingredient[]) => rows.map(({ id: _, ...row }) => ({ ...row, createdAt: null }));
      const original = without(await catalogue());
      for (const { id } of await catalogue()) await user.delete(`/api/ingredients/${id}`).expect(204);
      const restored = await run('ingredients', 'import', path);
      expect(counts(restored.stdout)).toMatchObject({ created: 6, refused: 0 });
      expect(without(await catalogue())).toEqual(original);
    });

    it.each(['csv', 'xlsx', 'json'])('writes names that import reads back in %s', async (format) => {
      const names = {
        casNumbers: ['56-81-5', '7732-18-5'],
        ecNumbers: ['200-289-5'],
        synonyms: ['Acid, citric', 'a;b', '-丙三醇', 'none', '=1+1'],
        tradeNames: ['Pricerine "9091"', "'x", '["a"]'],
      };
      const create = { inciName: 'Named', chineseName: '具名', functionCategory: 'other' };
      const { id } = (await user.post('/api/ingredients', create).expect(201)).body.data;
      await user.put(`/api/ext/ingredients/${id}/names`, names).expect(200);
      const path = join(folder, `names.${format}`);
      expect(await run('ingredients', 'export', path, '--force')).toMatchObject({ code: 0 });
      const again = await run('ingredients', 'import', path);
      expect(counts(again.stdout)).toMatchObject({ created: 0, updated: 0, unchanged: 1, refused: 0 });

      await user.delete(`/api/ingredients/${id}`).expect(204);
      const restored = await run('ingredients', 'import', path);
      expect(counts(restored.stdout)).toMatchObject({ created: 1, refused: 0 });
      expect(restored.stdout).not.toMatch(/not used|comma/);
      const [{ id: newId }] = (await catalogue()) as [Ingredient];
      const { data } = (await user.get(`/api/ext/ingredients/${newId}/names`).expect(200)).body;
      expect(data).toEqual({ ingredientId: newId, ...names });
    });

    it('writes a byte order mark for Excel, and no cell that is a formula', async () => {
      for (const row of tricky)
        await user.post('/api/ingredients', { functionCategory: 'other', ...row }).expect(201);
      const { stdout, code } = await run('ingredients', 'export');
      expect(code).toBe(0);
      // Every field that clients write, in the order in which the API shows them, and the further names.
      const columns = Object.keys((await catalogue())[0]!).filter((name) => !/^(id|createdAt)$/.test(name));
      expect(columns).toEqual(expect.arrayContaining(['inciName', 'supplier', 'unitPrice', 'description']));
      const header = [...columns, 'casNumbers', 'ecNumbers', 'synonyms', 'tradeNames'];
      expect(stdout.slice(0, stdout.indexOf('\r\n'))).toBe(`\ufeff${header.join(',')}`);
      expect(stdout).not.toMatch(/(^|[,"\n])[=+\-@＝]/m);
    });

    it('pages through a large catalogue in order, without gaps', async () => {
      const rows = Array.from(
        { length: 2500 },
        (_, n) => `N${String(n % 1250).padStart(4, '0')},成分,other,S${n}`,
      );
      await importText(`inciName,chineseName,functionCategory,supplier\n${rows.join('\n')}\n`);
      const { stdout } = await run('ingredients', 'export');
      const names = stdout.trim().split('\r\n').slice(1);
      expect(names).toHaveLength(2500);
      expect(new Set(names).size).toBe(2500);
      expect(names.map((row) => row.slice(0, 5))).toEqual(names.map((row) => row.slice(0, 5)).sort());
    });

    it('takes a thousand at a time, those of one name by id, all as they were at one moment', async () => {
      const rows = Array.from({ length: 2500 }, (_, n) => `${n < 2300 ? 'Same' : 'Zinc'},成分,other,S${n}`);
      await importText(`inciName,chineseName,functionCategory,supplier\n${rows.join('\n')}\n`);
      const { body } = await user.get('/api/ingredients?search=zinc&limit=1').expect(200);
      const change = () => user.put(`/api/ingredients/${body.data[0].id}`, { inciName: 'Changed' });

      const pages: Record<string, unknown>[][] = [];
      let changing: ReturnType<typeof change> | undefined;
      await service.app.get(TransactionManager).snapshot(async () => {
        for await (const records of service.app.get(IngredientImportService).records(RowFilter.EVERYTHING)) {
          pages.push(records);
          changing ??= change();
          // The embedded database has one session: there the change waits for the export.
          if (process.env.TEST_DATABASE_URL) expect((await changing).status).toBe(200);
          else changing.catch(() => undefined);
        }
      });
      expect((await changing!).status).toBe(200);
      expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 500]);
      const exported = pages.flat();
      expect(exported.filter(({ inciName }) => inciName === 'Zinc')).toHaveLength(200);
      const ids = exported.filter(({ inciName }) => inciName === 'Same').map(({ id }) => id as string);
      expect(new Set(ids).size).toBe(2300);
      expect(ids).toEqual(ids.toSorted());
    });

    it('replaces a file only when told to, and leaves nothing behind when it fails', async () => {
      const path = await file('precious', 'kept.csv');
      const refused = await run('ingredients', 'export', path);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/exists.*--force/);
      expect(await readFile(path, 'utf8')).toBe('precious');

      expect((await run('ingredients', 'export', path, '--force')).code).toBe(0);
      expect(await readFile(path, 'utf8')).toMatch(/^\ufeffinciName/);

      const missing = await run('ingredients', 'export', join(folder, 'no', 'such.csv'));
      expect(missing.code).toBe(1);
      expect(missing.stderr).toContain('no such directory');

      jest.spyOn(ImportRepository.prototype, 'readPage').mockRejectedValue(new Error('power cut'));
      expect((await run('ingredients', 'export', join(folder, 'new.csv'))).code).toBe(1);
      expect((await run('ingredients', 'export', path, '--force')).code).toBe(1);
      expect(await readFile(path, 'utf8')).toMatch(/^\ufeffinciName/);
      expect(
        (await readdir(folder)).filter((name) => name.includes('new') || name.endsWith('.part')),
      ).toEqual([]);
    });
  });
});
