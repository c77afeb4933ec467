import fs from 'node:fs';
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

  it.each(['-baseline.', 'functions.', 'reference-colors.json'])(
    'has another name when a file with %p in its name changes',
    (part) => {
      const before = migratedTemplateFile();
      expect(nameWithOther(part)).not.toBe(before);
    },
  );
});
