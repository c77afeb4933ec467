import { hostname } from 'node:os';
import type { INestApplication } from '@nestjs/common';
import { startService } from 'formula-development-service';
import { application } from '../src/app.module';
import { startOptions } from '../src/start-options';

describe('The service as main.ts starts it', () => {
  const saved = { ...process.env };
  let app: INestApplication;
  let written: string;

  beforeAll(async () => {
    delete process.env.DATABASE_URL;
    delete process.env.DATA_DIR; // under test the database is in memory
    Object.assign(process.env, { PORT: '0' });
    const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    app = await startService(application, startOptions);
    written = output.mock.calls.map(([chunk]) => String(chunk)).join('');
    output.mockRestore();
  });
  afterAll(async () => {
    await app.close();
    process.env = saved;
  });

  it('writes its log as the laboratory does', () => {
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const listening = lines.find(({ context }) => context === 'Service');
    expect(listening).toMatchObject({ level: 'log', message: expect.stringContaining('Listening on http') });
  });

  it.each(['/api/health', '/api/no-such-route'])('says which machine answered %s', async (path) => {
    const answer = await fetch(`${await app.getUrl()}${path}`);
    expect(answer.headers.get('x-served-by')).toBe(hostname());
  });
});
