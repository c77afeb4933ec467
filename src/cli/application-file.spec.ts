import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { moduleOf, withoutAppOption } from './application-file';

describe('--app', () => {
  it.each([
    [['users', 'list'], { args: ['users', 'list'] }],
    [['start', '--app', 'app.js'], { file: 'app.js', args: ['start'] }],
    [['--app', 'app.js', 'users', 'list'], { file: 'app.js', args: ['users', 'list'] }],
    [['users', '--app=./a b.js', 'list'], { file: './a b.js', args: ['users', 'list'] }],
    [['resend', '--', '--app', 'x'], { args: ['resend', '--', '--app', 'x'] }],
    [['resend', '--app', 'a.js', '--', '--app'], { file: 'a.js', args: ['resend', '--', '--app'] }],
    [['resend', '--apple'], { args: ['resend', '--apple'] }],
  ])('is taken out of %j', (args, expected) => {
    expect(withoutAppOption(args)).toEqual(expected);
  });

  it.each([[['start', '--app']], [['start', '--app=']], [['start', '--app', '--', 'x']]])(
    'without a file is refused: %j',
    (args) => {
      expect(() => withoutAppOption(args)).toThrow('--app needs a file');
    },
  );

  it('given twice is refused', () => {
    expect(() => withoutAppOption(['start', '--app', 'a.js', '--app=b.js'])).toThrow('--app is given twice');
  });
});

describe('The module of an application', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'application-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const file = (content: string) => {
    const path = join(directory, 'app.js');
    writeFileSync(path, content);
    return path;
  };

  it.each([
    ['a class named AppModule', 'exports.AppModule = class AppModule {}'],
    ['a class by default', 'exports.default = class AppModule {}'],
    [
      'the default before the name',
      'exports.AppModule = class Other {}; exports.default = class AppModule {}',
    ],
  ])('is %s', async (_, content) => {
    expect(await moduleOf(file(content))).toHaveProperty('name', 'AppModule');
  });

  it.each([
    ['a dynamic module', 'exports.default = { module: class AppModule {} }'],
    ['a promise of one', 'exports.AppModule = Promise.resolve({ module: class AppModule {} })'],
  ])('is %s', async (_, content) => {
    expect(await moduleOf(file(content))).toHaveProperty('module.name', 'AppModule');
  });

  it('is found from the working directory', async () => {
    const path = relative(process.cwd(), file('exports.AppModule = class AppModule {}'));
    expect(await moduleOf(path)).toHaveProperty('name', 'AppModule');
  });

  it.each([
    ['nothing', ''],
    ['something else', 'exports.AppModule = { imports: [] }'],
    ['null', 'exports.default = null'],
    ['null instead of anything', 'module.exports = null'],
    ['undefined instead of anything', 'module.exports = undefined'],
    ['a text', 'exports.default = "AppModule"'],
    ['an arrow function', 'exports.default = () => ({ module: class AppModule {} })'],
    ['a function', 'exports.default = function AppModule() {}'],
    ['a promise of nothing', 'exports.default = Promise.resolve()'],
    ['a dynamic module of a function', 'exports.default = { module: () => undefined }'],
  ])('is missed in a file that exports %s', async (_, content) => {
    const path = file(content);
    await expect(moduleOf(path)).rejects.toThrow(
      `--app: ${path} must export a Nest module, as default or as AppModule`,
    );
  });

  it('is missed where there is no file', async () => {
    const path = join(directory, 'absent.js');
    await expect(moduleOf(path)).rejects.toThrow(`--app: there is no file ${path}`);
  });

  it.each([
    ['its file', 'throw new Error("broken")'],
    ['the promise in it', 'exports.default = Promise.reject(new Error("broken"))'],
  ])('fails as %s fails', async (_, content) => {
    await expect(moduleOf(file(content))).rejects.toThrow('broken');
  });
});
