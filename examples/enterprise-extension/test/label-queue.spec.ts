import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type Type } from '@nestjs/common';
import { DatabaseService, EXTRA_MIGRATIONS } from 'formula-development-service';
import { LabelQueue1790000000500 } from '../src/label-queue/label-queue.migration';
import { LabelQueueModule } from '../src/label-queue/label-queue.module';
import { createTestApp } from 'formula-development-service/testing';

/** As it was while labels were printed here. */
@Module({ providers: [{ provide: EXTRA_MIGRATIONS, useValue: [LabelQueue1790000000500] }] })
class EarlierLabelQueueModule {}

describe('The queue of labels', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enterprise-extension-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** What is there of it in the database, after a start with these extensions. */
  const startWith = async (...extensions: Type[]) => {
    const app = await createTestApp({ extensions, settings: { DATA_DIR: folder } });
    const [found] = await app.get(DatabaseService).query({
      text: `
        SELECT to_regclass('ext_label_queue') IS NOT NULL AS "hasTable",
          EXISTS (SELECT FROM migrations WHERE name LIKE 'LabelQueue%') AS "hasRun"`,
    });
    await app.close();
    return found;
  };

  it('is taken out of a database that has it', async () => {
    expect(await startWith(EarlierLabelQueueModule)).toEqual({ hasTable: true, hasRun: true });
    expect(await startWith(LabelQueueModule)).toEqual({ hasTable: false, hasRun: false });
    expect(await startWith()).toEqual({ hasTable: false, hasRun: false }); // the module may go
  });
});
