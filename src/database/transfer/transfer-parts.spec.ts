import { type TransferPart, withChangedRows } from './transfer-parts';

async function* given(): AsyncGenerator<TransferPart> {
  yield { kind: 'table', name: 'settings', columns: ['value', 'name'] };
  yield { kind: 'rows', rows: ['["v","n"]', '[null,"中"]'] };
  yield { kind: 'table', name: 'others', columns: ['name'] };
  yield { kind: 'rows', rows: ['["n"]'] };
  yield { kind: 'sequences', sequences: [] };
  await Promise.resolve();
}

it('withChangedRows changes the rows of one table and hands on the rest as it is', async () => {
  const seen: unknown[] = [];
  const changed: TransferPart[] = [];
  const parts = withChangedRows(given(), 'settings', ([value = null, ...more], columns) => {
    seen.push(columns);
    return [value === null ? null : value.toUpperCase(), ...more];
  });
  for await (const part of parts) changed.push(part);
  expect(changed).toEqual([
    { kind: 'table', name: 'settings', columns: ['value', 'name'] },
    { kind: 'rows', rows: ['["V","n"]', '[null,"中"]'] },
    { kind: 'table', name: 'others', columns: ['name'] },
    { kind: 'rows', rows: ['["n"]'] },
    { kind: 'sequences', sequences: [] },
  ]);
  expect(seen).toEqual([
    ['value', 'name'],
    ['value', 'name'],
  ]);
});
