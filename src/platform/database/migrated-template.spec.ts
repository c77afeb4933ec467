import fs from 'node:fs';
import { defaultTemplateFile } from './embedded/template-file';
import { migratedTemplateFile } from './migrated-template';

describe('migratedTemplateFile', () => {
  afterEach(() => jest.restoreAllMocks());

  /** The name when the files whose path contains `part` have another content. */
  const nameWithOther = (part: string) => {
    const read = fs.readFileSync;
    jest
      .spyOn(fs, 'readFileSync')
      .mockImplementation((...[path, options]) =>
        String(path).includes(part) ? 'another content' : read(path, options),
      );
    return migratedTemplateFile();
  };

  it('keeps its name while the migrations stay as they are', () => {
    expect(migratedTemplateFile()).toBe(migratedTemplateFile());
  });

  it('lies beside the template of an empty database, among what npm keeps', () => {
    const template = defaultTemplateFile();
    expect(template).toMatch(/node_modules.\.cache.embedded-postgres.pglite-\d+\.\d+\.\d+-\d+\.tar\.gz$/);
    expect(migratedTemplateFile().startsWith(template.replace('.tar.gz', '-migrated-'))).toBe(true);
    expect(migratedTemplateFile()).toMatch(/-migrated-[0-9a-f]{16}\.tar\.gz$/);
  });

  it('has another name when a file has another name, and with one file more, not with a folder', () => {
    const entry = (name: string, isFile = true) =>
      ({ name, parentPath: 'f', isFile: () => isFile }) as fs.Dirent;
    const nameWith = (...entries: fs.Dirent[]) => {
      jest.spyOn(fs, 'readdirSync').mockReturnValue(entries as never);
      jest.spyOn(fs, 'readFileSync').mockReturnValue('content');
      const name = migratedTemplateFile();
      jest.restoreAllMocks();
      return name;
    };
    const one = nameWith(entry('a'));
    expect(nameWith(entry('b'))).not.toBe(one);
    expect(nameWith(entry('a'), entry('b'))).not.toBe(one);
    expect(nameWith(entry('a'), entry('b', false))).toBe(one);
  });

  it.each(['-baseline.', 'functions.', 'reference-colors.json'])(
    'has another name when a file with %p in its name changes',
    (part) => {
      const before = migratedTemplateFile();
      expect(nameWithOther(part)).not.toBe(before);
    },
  );
});
