import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { violationsOf } from '../support/dependency-check';

const AI = join(__dirname, '..', '..', 'src', 'ai');

describe('The layers of src/ai', () => {
  it('let imports go downwards', async () => {
    const found = await violationsOf({
      'ai/providers/port.ts': [],
      'ai/providers/sdk/base.ts': ['../port'],
      'ai/providers/alpha/alpha.ts': ['../sdk/base', './client'],
      'ai/providers/alpha/client.ts': [],
      'ai/providers/index.ts': ['./alpha/alpha'],
      'ai/pipeline/service.ts': ['../providers/port'],
      'ai/capabilities/predict/predict.ts': ['../../pipeline/service', '../explore/explore'],
      'ai/capabilities/explore/explore.ts': ['../../pipeline/service'],
      'ai/http/controller.ts': ['../capabilities/predict/predict', '../pipeline/service'],
      'ai/ai.module.ts': ['./http/controller', './providers'],
    });
    expect(found).toEqual([]);
  });

  it('refuse every other import', async () => {
    const found = await violationsOf({
      'ai/providers/x/a.ts': ['../../pipeline/b', '../y/b'],
      'ai/providers/x/b.ts': [],
      'ai/providers/y/b.ts': [],
      'ai/pipeline/a.ts': ['../capabilities/x/b'],
      'ai/pipeline/b.ts': [],
      'ai/capabilities/x/a.ts': ['../../http/b'],
      'ai/capabilities/x/b.ts': [],
      'ai/http/a.ts': ['../root'],
      'ai/http/b.ts': [],
      'ai/root.ts': [],
      'ai/other/a.ts': ['../providers/x/b'],
    });
    expect(found).toEqual([
      'ai-folder-without-layer: src/ai/other/a.ts → src/ai/providers/x/b.ts',
      'ai-layer-capabilities: src/ai/capabilities/x/a.ts → src/ai/http/b.ts',
      'ai-layer-http: src/ai/http/a.ts → src/ai/root.ts',
      'ai-layer-pipeline: src/ai/pipeline/a.ts → src/ai/capabilities/x/b.ts',
      'ai-layer-providers: src/ai/providers/x/a.ts → src/ai/pipeline/b.ts',
      'ai-provider-beside-provider: src/ai/providers/x/a.ts → src/ai/providers/y/b.ts',
    ]);
  });

  it('have at most 25 files in a folder', async () => {
    const crowded: string[] = [];
    const count = async (folder: string): Promise<void> => {
      const entries = await readdir(folder, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'));
      if (files.length > 25) crowded.push(folder);
      for (const entry of entries) if (entry.isDirectory()) await count(join(folder, entry.name));
    };
    await count(AI);
    expect(crowded).toEqual([]);
  });
});
