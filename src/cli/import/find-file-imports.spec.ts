import { type DynamicModule, forwardRef, Module } from '@nestjs/common';
import { FileImport, ImportsFiles } from '../../files/file-import';
import type { ImportReport } from '../../files/import-report';
import { findFileImports } from './file-commands';

const description = {
  command: 'x',
  help: { command: '', import: '' },
  records: 'x',
  store: 'x',
  columns: [],
  readRow: () => ({ reasons: [] }),
};

abstract class Nothing extends FileImport {
  import(): Promise<ImportReport> {
    return Promise.reject(new Error('never asked'));
  }
}

@ImportsFiles(description)
class First extends Nothing {}
@ImportsFiles(description)
class Second extends Nothing {}
@ImportsFiles(description)
class Third extends Nothing {}
class Undescribed extends Nothing {}

@Module({ providers: [First, Undescribed, { provide: 'other', useValue: 1 }] })
class Leaf {}

@Module({})
class Dynamic {
  static register(): DynamicModule {
    return { module: Dynamic, providers: [Second], imports: [Leaf] };
  }
}

@Module({ imports: [forwardRef(() => Root), Leaf] })
class Circle {}

@Module({ imports: [Dynamic.register(), Circle, Promise.resolve(Dynamic.register())], providers: [Third] })
class Root {}

it('finds each described provider of a module tree once, promised modules too', async () => {
  const found = await findFileImports(Root);
  expect(new Set(found)).toEqual(new Set([First, Second, Third]));
  expect(found).toHaveLength(3);
  expect(await findFileImports(Leaf)).toEqual([First]);
  expect(await findFileImports(forwardRef(() => Leaf))).toEqual([First]);
});
