import { inEnglish } from '../../../test/support/reasons';
import { readImportFile } from '../../files/read-import-file';
import { SUBSTANCES_FILE } from './substances-file.words';

const read = async (cells: string) => {
  const { drafts, refused } = await readImportFile(
    Buffer.from(`原料\tINCI\tCAS\t%\nBlend\t${cells}\n`),
    SUBSTANCES_FILE,
  );
  return inEnglish({ drafts, refused });
};

it.each([
  ['80-90', 80, 90],
  ['5 – 10 %', 5, 10],
  ['0.1%~0.5%', 0.1, 0.5],
  ['0,1-0,5', 0.1, 0.5],
  ['10至20', 10, 20],
])('reads %s in one cell as a range', async (cell, minPercentage, maxPercentage) => {
  const { drafts } = await read(`Glycerin\t56-81-5\t${cell}`);
  expect(drafts).toMatchObject([{ minPercentage, maxPercentage }]);
  expect(drafts[0].percentage).toBeUndefined();
});

it.each(['90 -', '<90', '80-90-95', 'about 80'])('refuses the share %s', async (cell) =>
  expect(await read(`Glycerin\t56-81-5\t${cell}`)).toMatchObject({ drafts: [], refused: [{ line: 2 }] }),
);

it.each(['68603-42-9;61791-31-9', '68603-42-9 / 61791-31-9', '68603-42-9 & 61791-31-9, 112-80-1'])(
  'refuses several CAS numbers as such: %s',
  async (cell) => {
    const { refused } = await read(`Cocamide DEA\t${cell}\t100`);
    expect(JSON.stringify(refused)).toContain('CAS');
  },
);
