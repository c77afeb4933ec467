import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/node';
import { workbookPieces } from './workbook-pieces';

async function workbook(columns: string[], row: string[]): Promise<unknown[][]> {
  const pages = Readable.from([[row]]);
  return readSheet(await buffer(Readable.from(workbookPieces(columns, pages))));
}

it('a sheet may have more columns than the alphabet has letters', async () => {
  const columns = Array.from({ length: 60 }, (_, index) => `column ${index}`);
  const row = columns.map((name) => `cell of ${name}`);
  expect(await workbook(columns, row)).toEqual([columns, row]);
});
