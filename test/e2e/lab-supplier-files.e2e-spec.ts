import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';
import { EAST_ASIAN_PRICE_LISTS } from '../support/supplier-files/east-asian-price-lists';
import { FORMULA_SHEETS } from '../support/supplier-files/formula-sheets';
import { GERMAN_PRICE_LISTS } from '../support/supplier-files/german-price-lists';
import { WESTERN_PRICE_LISTS } from '../support/supplier-files/western-price-lists';
import type { Attempt, SupplierFile } from '../support/supplier-files/reading';

/*
 * Files as suppliers and laboratories make them. Each has what a careful human reads in it: the import reads the
 * same, or asks, or names the cell. It never reads anything else.
 */

let service: TestApp;
let user: Account;
beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
});
afterAll(() => service.close());

/** The catalogue has what the file names, without prices. */
async function fillCatalogue({ prices = [], lines = [], known: others = [] }: Attempt): Promise<void> {
  const database = service.app.get(DataSource);
  await database.query('TRUNCATE formulas, ingredients CASCADE');
  const known = new Map(
    [...prices, ...[...lines.map(([, name]) => name), ...others].map((name) => [name] as const)].map(
      (row) => [row[0], row[3] ?? null],
    ),
  );
  for (const [inciName, supplier] of known) {
    await database.query(
      `INSERT INTO ingredients (inci_name, chinese_name, function_category, supplier) VALUES ($1, '名', 'other', $2)`,
      [inciName, supplier],
    );
  }
}

async function send(what: string, content: Buffer, query: string) {
  const path = `/api/ext/import/${what}?${query}`;
  const type = 'application/octet-stream';
  const { status, body } = await user
    .post(path)
    .set('X-Language', 'en')
    .set('Content-Type', type)
    .send(content);
  return status === 200 ? body.data : { asks: JSON.stringify(body).replaceAll('\\"', '"') };
}

const faultsOf = (answer: any) =>
  answer.faults.filter(({ reason }: any) => !reason.startsWith('is of a formula that has a fault'));

async function expectAttempt(what: string, content: Buffer, attempt: Attempt): Promise<any> {
  await fillCatalogue(attempt);
  const { query = '', asks, faults = [], notes = [] } = attempt;
  const trial = await send(what, content, `${query}&dryRun=true`);
  if (asks) {
    expect(trial).toEqual({ asks: expect.stringMatching(asks) });
    return undefined;
  }
  expect(trial.asks).toBeUndefined();
  expect(faultsOf(trial)).toEqual(
    faults.map(([row, column, value, reason]) => ({
      row,
      column,
      value,
      reason: expect.stringMatching(reason),
    })),
  );
  for (const note of notes) expect(trial.notes).toContainEqual(expect.stringMatching(note));
  const done = await send(what, content, `${query}&partial=true`);
  expect(done).toMatchObject({ created: trial.created, updated: trial.updated, unchanged: trial.unchanged });
  return trial;
}

const attempts = (files: readonly SupplierFile[]) =>
  files.flatMap(({ make, content, attempts: all }) =>
    all.map((attempt) => ({ make, content, attempt, query: decodeURIComponent(attempt.query ?? '') })),
  );

describe('price lists', () => {
  it.each(attempts([...EAST_ASIAN_PRICE_LISTS, ...GERMAN_PRICE_LISTS, ...WESTERN_PRICE_LISTS]))(
    '$make [$query]',
    async ({ content, attempt }) => {
      const trial = await expectAttempt('ingredients', content, attempt);
      if (!trial) return;
      const prices = attempt.prices ?? [];
      expect(trial.created).toBe(0);
      const { data } = (await user.get('/api/ext/export/ingredients').expect(200)).body;
      const read = data.map((one: any) => [
        one.inciName,
        one.unitPrice,
        one.unit,
        ...(one.supplier ? [one.supplier] : []),
      ]);
      expect(read.sort()).toEqual(prices.map((row) => [...row]).sort());
    },
  );
});

describe('formulas', () => {
  it.each(attempts(FORMULA_SHEETS))('$make [$query]', async ({ content, attempt }) => {
    const trial = await expectAttempt('formulas', content, {
      ...attempt,
      query: `name=F&${attempt.query ?? ''}`,
    });
    if (!trial) return;
    const { data } = (await user.get('/api/ext/export/formulas').expect(200)).body;
    const read = data.flatMap(({ versions: [{ phases }] }: any) =>
      phases.flatMap((phase: any) =>
        phase.ingredients.map((line: any) => [phase.name, line.ingredient.inciName, line.percentage]),
      ),
    );
    expect(read).toEqual(attempt.lines ?? []);
  });
});
