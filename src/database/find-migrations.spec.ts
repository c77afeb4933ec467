import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMigrations } from './find-migrations';

const migration = (name: string) => `exports.${name} = class ${name} { async up() {} async down() {} };`;

describe('findMigrations', () => {
  let folder: string;
  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  };

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'migrations-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('finds the classes of compiled files and of sources in the order of their times', () => {
    write({
      '1767225600002-add-labels.js': migration('AddLabels1767225600002'),
      '1767225600001-baseline.ts': `export class Baseline1767225600001 { async up(): Promise<void> {} }`,
      '1767225600003-more.js': migration('More1767225600003'),
    });
    expect(findMigrations(folder).map(({ name }) => name)).toEqual([
      'Baseline1767225600001',
      'AddLabels1767225600002',
      'More1767225600003',
    ]);
  });

  it('does not rely on the order in which the file system lists them', () => {
    write({
      '1767225600001-one.js': migration('One1767225600001'),
      '1767225600002-two.js': migration('Two1767225600002'),
    });
    const fs = jest.requireActual<{ readdirSync: (folder: string, options: object) => unknown[] }>('node:fs');
    const list = fs.readdirSync;
    const listed = jest
      .spyOn(fs, 'readdirSync')
      .mockImplementation((path, options) => list(path, options).toReversed());
    try {
      expect(findMigrations(folder).map(({ name }) => name)).toEqual([
        'One1767225600001',
        'Two1767225600002',
      ]);
      expect(listed).toHaveBeenCalled();
    } finally {
      listed.mockRestore();
    }
  });

  it('takes neither declarations, tests, maps nor data, nor what is in folders', () => {
    mkdirSync(join(folder, 'baseline'));
    mkdirSync(join(folder, '1767225600009-folder.js'));
    const broken = 'throw new Error("loaded")';
    write({
      '1767225600001-baseline.js': migration('Baseline1767225600001'),
      '1767225600001-baseline.d.ts': broken,
      '1767225600001-baseline.js.map': broken,
      '1767225600001-baseline.spec.ts': broken,
      '1767225600001-baseline.spec.js': broken,
      'colors.json': '{}',
      [join('baseline', '1767225600000-part.js')]: broken,
    });
    expect(findMigrations(folder)).toHaveLength(1);
  });

  it.each([
    'baseline.js',
    '17672256-short.js',
    '1767225600001.js',
    '1767225600001-Upper.ts',
    '1767225600001-a_b.js',
  ])('refuses %s: its name does not say when and what', (name) => {
    write({ [name]: migration('Baseline1767225600001') });
    expect(() => findMigrations(folder)).toThrow(`${name}: the name of a migration is`);
  });

  it.each([
    ['no class', ''],
    ['a value', 'exports.Baseline1767225600001 = {};'],
    ['a class of another time', migration('Baseline1767225600002')],
    ['two classes', migration('Baseline1767225600001') + migration('Other1767225600001')],
  ])('refuses a file with %s', (_, text) => {
    write({ '1767225600001-baseline.js': text });
    expect(() => findMigrations(folder)).toThrow('1767225600001-baseline.js must export one class');
  });
});
