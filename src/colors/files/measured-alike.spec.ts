import { inEnglish } from '../../../test/support/reasons';
import { readImportFile } from '../../files/read-import-file';
import { COLOR_FILE } from './color-columns';
import { measuredAlike } from './measured-alike';
import { readLight } from './measurement';

/** The colours of a file as `name L a b / measured L`, its refused rows and its notes. */
async function read(text: string) {
  const reading = await readImportFile(Buffer.from(text), COLOR_FILE);
  const { drafts, refused, notes } = await measuredAlike(reading.drafts);
  return inEnglish({
    colors: drafts.map(
      ({ name, targetLab: { L }, actualLab }) => `${name} ${L}${actualLab ? ` / ${actualLab.L}` : ''}`,
    ),
    refused: [...reading.refused, ...refused].flatMap(({ line, faults }) =>
      faults.map(({ reason }) => ({ line, reason })),
    ),
    notes,
  });
}

const reasons = async (text: string): Promise<string[]> =>
  (await read(text)).refused.map(({ reason }: { reason: string }) => reason);

describe('readLight', () => {
  it.each([
    'D65',
    'd65/10',
    'D65 / 10°',
    'CIE D65',
    'Illuminant: D65',
    'D65 10 deg',
    'Daylight D65',
    'D65/2°',
  ])('%s is D65', (text) => expect(readLight(text)).toBe('d65'));
  it.each(['A', 'A/10°', 'F11', 'F2/10', 'D50', 'TL84', 'CWF', '光源: A', 'C/2', 'Horizon'])(
    '%s is another light',
    (text) => expect(readLight(text)).toMatch(/^(?!d65)./),
  );
  it.each(['lamp 3', 'D65, A', 'daylight', 'x'])('%s is no known light', (text) =>
    expect(readLight(text)).toBeUndefined(),
  );
});

describe('measuredAlike', () => {
  it.each(['Illuminant', '光源', 'Illum.', 'Illuminant/Observer', 'Light source'])(
    'leaves out rows under another light: %s',
    async (column) => {
      const file = `name,L,a,b,${column}\nRed,41,2,3,D65\nRed,50,2,3,A\nBlue,30,1,1,F11/10°\n`;
      expect(await read(file)).toEqual({
        colors: ['Red 41'],
        refused: [],
        notes: [
          'Rows that are not measured under D65 are left out (A): 3',
          'Rows that are not measured under D65 are left out (F11): 4',
        ],
      });
    },
  );

  it.each(['Illuminant: A', '"Illuminant","A"', '光源：A/10°', 'Konica Minolta, A/10', 'Illumination=A'])(
    'leaves out all rows below the line %s',
    async (line) => expect((await read(`${line}\nname,L,a,b\nRed,41,2,3\n`)).colors).toEqual([]),
  );

  it.each(['Illuminant: D65', 'D65/10°', 'Made in 2026', 'Colours of A and B', 'Batch A/B'])(
    'reads the rows below the line %s',
    async (line) => expect((await read(`${line}\nname,L,a,b\nRed,41,2,3\n`)).colors).toEqual(['Red 41']),
  );

  it('refuses a light that is not known, and none beside others', async () => {
    const file = 'name,L,a,b,Illuminant\nRed,41,2,3,lamp 3\nBlue,50,2,3,\nGreen,50,2,3,A\n';
    expect(await reasons(file)).toEqual([
      '"lamp 3" is no known light (such as D65, A, F11)',
      'names no light, and other rows of the file are measured under another one than D65',
    ]);
  });

  it.each(['Mode', 'SCI/SCE', 'Observer'])('refuses rows of one name that differ in %s', async (column) => {
    const differently = /^rows of this name are measured differently \(in, ex\)/;
    const file = `name,L,a,b,${column}\nRed,41,2,3,in\nRed,42,2,3,ex\nBlue,30,1,1,in\n`;
    expect(await read(file)).toMatchObject({
      colors: ['Blue 30'],
      refused: [
        { line: 2, reason: expect.stringMatching(differently) },
        { line: 3, reason: expect.stringMatching(differently) },
      ],
    });
  });

  it('joins a standard and its batch', async () => {
    const file = 'name,type,L,a,b\nRed,Standard,41,2,3\nRed,Batch 1,42,2,3\nBlue,标准,30,1,1\n';
    expect(await read(file)).toEqual({
      colors: ['Red 41 / 42', 'Blue 30'],
      refused: [],
      notes: ['A standard and its batch became target and measurement of one colour (lines): 2 + 3'],
    });
  });

  it.each([
    ['two batches', 'name,type,L,a,b\nRed,Std,41,2,3\nRed,Batch,42,2,3\nRed,Batch,43,2,3\n', 3],
    ['a batch of another name', 'name,type,L,a,b\nRed,Std,41,2,3\nRed 2,Batch,42,2,3\n', 1],
    ['words alone', 'name,L,a,b\nStandard,41,2,3\nBatch,42,2,3\n', 2],
    [
      'words in the name',
      'name,L,a,b\nRed (standard),41,2,3\nRed (batch 1),42,2,3\nBlue standard,1,1,1\n',
      2,
    ],
    ['Chinese words', 'name,L,a,b\n红色标样,41,2,3\n红色试样,42,2,3\n', 2],
  ])('refuses %s', async (_, file, count) => {
    expect((await reasons(file)).filter((reason) => /is a standard or a batch/.test(reason))).toHaveLength(
      count,
    );
  });

  it('reads a type that has no standards', async () => {
    const file =
      'name,type,L,a,b\nRed,Sample,41,2,3\nBlue,matte,42,2,3\nAmethist,,1,1,1\nAmeth standard,,1,1,1\n';
    expect((await read(file)).refused).toEqual([]);
  });

  it('does not take the mark of a footnote for a digit', async () => {
    expect((await read('name,L,a,b\nShade 12,41,2,3\nShade 1²,42,2,3\n')).colors).toHaveLength(2);
  });
});

it('takes more rows of one name than a call takes arguments', async () => {
  const rows = Array.from({ length: 150_000 }, (_, at) => ({
    line: at + 2,
    name: 'Shade',
    targetLab: { L: 50, a: 1, b: 2 },
  }));
  expect((await measuredAlike(rows)).drafts).toHaveLength(150_000);
});

it('names ten conditions of a name, however many there are', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({
    line: at + 2,
    name: 'Shade',
    targetLab: { L: 50, a: 1, b: 2 },
    measurement: { light: 'd65', under: `d65, ${at}`, kind: undefined },
  }));
  const { refused } = inEnglish(await measuredAlike(rows));
  expect(refused[0]!.faults[0]!.reason).toContain('d65, 9');
  expect(refused[0]!.faults[0]!.reason).not.toContain('d65, 11');
});
